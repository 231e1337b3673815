# Installs dedup for Windows from the archive of a release: install.ps1 VERSION FOLDER creates FOLDER\dedup.exe.
#
#   powershell -ExecutionPolicy Bypass -File install.ps1 v0.1.0 "$HOME\bin"
#
# It is the counterpart of install.sh. The SHA-256 of the archive must match SHA256SUMS of the release; if gh is
# installed and logged in, its attestation is verified as well. Nothing is overwritten: a dedup of the same
# version is left as it is, and any other file in its place is an error. Needs Windows PowerShell 5.1 or newer,
# and does not change PATH.
#
# Status: 0 if it is installed, 1 if the release has no archive for the machine, 2 on an error.
#
# DEDUP_REPOSITORY   the repository on GitHub
# DEDUP_BASE_URL     the address of the releases, such as a mirror: DEDUP_BASE_URL/VERSION/SHA256SUMS
Set-StrictMode -Version 2
$ErrorActionPreference = 'Stop'
$PSNativeCommandUseErrorActionPreference = $false # statuses are looked at here
$ProgressPreference = 'SilentlyContinue' # its bar takes longer than a download
[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

$repository = if ($env:DEDUP_REPOSITORY) { $env:DEDUP_REPOSITORY } else { 'OWNER/dedup' }
$base = if ($env:DEDUP_BASE_URL) { $env:DEDUP_BASE_URL } else { "https://github.com/$repository/releases/download" }

# Prints an error and exits.
function Stop-Installation([int]$Status, [string]$Message, [string]$Hint) {
    [Console]::Error.WriteLine("install.ps1: $Message")
    if ($Hint) { [Console]::Error.WriteLine("hint: $Hint") }
    exit $Status
}

# Downloads a file; returns false if the server does not have it.
function Get-Release([string]$Url, [string]$File) {
    try {
        Invoke-WebRequest -UseBasicParsing -Uri $Url -OutFile $File
        return $true
    } catch {
        $response = $null
        if ($_.Exception.PSObject.Properties['Response']) { $response = $_.Exception.Response }
        if ($null -eq $response) {
            Stop-Installation 2 "${Url}: cannot be downloaded" 'check the network, or name a mirror in DEDUP_BASE_URL'
        }
        $code = [int]$response.StatusCode
        if ($code -eq 404 -or $code -eq 410) { return $false }
        Stop-Installation 2 "${Url}: the server answered $code, expected 200" 'try again later, or name a mirror in DEDUP_BASE_URL'
    }
}

# Returns the output of a program for --version; empty if it does not run.
function Get-ProgramVersion([string]$Program) {
    $ErrorActionPreference = 'Continue' # what a program says on standard error is no exception here
    try { return [string](& $Program --version 2>$null) } catch { return '' }
}

# Returns the status of gh, without its output.
function Get-GhStatus {
    $ErrorActionPreference = 'Continue'
    & gh @args 2>&1 | Out-Null
    return $LASTEXITCODE
}

if ($args.Count -ne 2) {
    Stop-Installation 2 'expected VERSION and FOLDER' 'install.ps1 v0.1.0 "$HOME\bin"'
}
$version = [string]$args[0] -creplace '^v', ''
$folder = [string]$args[1]
if ($version -cnotmatch '\A[0-9][0-9A-Za-z.+-]*\z') {
    Stop-Installation 2 "$($args[0]): expected a version, such as v0.1.0"
}
if (-not $folder) {
    Stop-Installation 2 'expected a folder to install into'
}
if ([Environment]::OSVersion.Platform -ne 'Win32NT') {
    Stop-Installation 1 'no archive for this system by this script' 'install.sh installs it here'
}
$machine = if ($env:PROCESSOR_ARCHITEW6432) { $env:PROCESSOR_ARCHITEW6432 } else { $env:PROCESSOR_ARCHITECTURE }
if ($machine -ne 'AMD64') {
    Stop-Installation 1 "no archive for Windows on $machine" 'cargo install builds it from source'
}
$name = "dedup-$version-x86_64-pc-windows-msvc"
$file = "$name.zip"

$folder = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($folder)
$installed = Join-Path $folder 'dedup.exe'
if (Get-Item -LiteralPath $installed -Force -ErrorAction SilentlyContinue) {
    if ((Get-ProgramVersion $installed) -eq "dedup $version") {
        Write-Output "${installed}: dedup $version is there already"
        exit 0
    }
    Stop-Installation 2 "${installed}: is there already, and is not dedup $version" 'name another folder, or move it away'
}

$made = -not (Test-Path -LiteralPath $folder)
$work = Join-Path $folder ('.dedup.' + [IO.Path]::GetRandomFileName())
try {
    try {
        New-Item -ItemType Directory -Path $work -Force | Out-Null
    } catch {
        Stop-Installation 2 "${folder}: cannot be made" 'name a folder that may be written to'
    }
    $url = "$base/v$version"
    $sums = Join-Path $work 'SHA256SUMS'
    $archive = Join-Path $work $file
    if (-not (Get-Release "$url/SHA256SUMS" $sums)) {
        Stop-Installation 1 "$url/SHA256SUMS: not found" 'there is no such release, or it is a draft'
    }
    $want = ''
    foreach ($line in [IO.File]::ReadAllLines($sums)) {
        $digest, $listed = $line -split ' [ *]', 2
        if ($listed -ceq $file) { $want = $digest; break }
    }
    if (-not $want) {
        Stop-Installation 1 "$url/SHA256SUMS: no $file in it" 'cargo install builds it from source'
    }
    if (-not (Get-Release "$url/$file" $archive)) {
        Stop-Installation 2 "$url/${file}: not found, though SHA256SUMS has it"
    }
    $found = (Get-FileHash -Algorithm SHA256 -LiteralPath $archive).Hash.ToLowerInvariant()
    if ($found -cne $want) {
        Stop-Installation 2 "$url/${file}: SHA-256 $found, expected $want" 'it is cut or was changed on its way: do not run it'
    }

    $attested = $false
    if ((Get-Command gh -CommandType Application -ErrorAction SilentlyContinue) -and (Get-GhStatus auth status) -eq 0) {
        if ((Get-GhStatus attestation verify $archive --repo $repository) -ne 0) {
            Stop-Installation 2 "$url/${file}: no attestation that $repository built it" 'do not run it'
        }
        $attested = $true
    }
    if (-not $attested) {
        [Console]::Error.WriteLine('install.ps1: the attestation is not checked: gh is not there, or not logged in')
    }

    try {
        Expand-Archive -LiteralPath $archive -DestinationPath $work
    } catch {
        Stop-Installation 2 "$url/${file}: cannot be unpacked"
    }
    $program = Join-Path $work "$name\dedup.exe"
    if (-not (Test-Path -LiteralPath $program -PathType Leaf)) {
        Stop-Installation 2 "$url/${file}: no $name/dedup.exe in it"
    }
    $runs = Get-ProgramVersion $program
    if (-not $runs) {
        Stop-Installation 2 "${file}: does not run on this machine"
    }
    if ($runs -cne "dedup $version") {
        Stop-Installation 2 "${file}: is $runs, expected dedup $version"
    }
    # It fails if a file was created there in the meantime.
    [IO.File]::Move($program, $installed)
    $made = $false
    Write-Output "${installed}: dedup $version"
} finally {
    if (Test-Path -LiteralPath $work) { Remove-Item -LiteralPath $work -Recurse -Force }
    # Removes the folder that was created for nothing.
    if ($made -and (Test-Path -LiteralPath $folder) -and -not (Get-ChildItem -LiteralPath $folder -Force)) {
        Remove-Item -LiteralPath $folder
    }
}
