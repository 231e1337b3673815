#!/bin/sh
# Installs dedup from the archive of a release: install.sh VERSION FOLDER [TARGET] creates FOLDER/dedup.
#
#   sh install.sh v0.1.0 "$HOME/.local/bin"
#
# The archive is that for this machine, or for TARGET, such as aarch64-apple-darwin. Its SHA-256 must match
# SHA256SUMS of the release; if gh is installed and logged in, its attestation is verified as well. Nothing
# is overwritten: a dedup of the same version is left as it is, and any other file in its place is an
# error. Needs curl or wget, and tar (on Windows unzip).
#
# Status: 0 if it is installed, 1 if the release has no archive for the machine, 2 on an error.
#
# DEDUP_REPOSITORY   the repository on GitHub
# DEDUP_BASE_URL     the address of the releases, such as a mirror: DEDUP_BASE_URL/VERSION/SHA256SUMS
set -eu

repository=${DEDUP_REPOSITORY:-OWNER/dedup}
base=${DEDUP_BASE_URL:-https://github.com/$repository/releases/download}

# Prints an error and exits: fail STATUS MESSAGE [HINT]
fail() {
  printf 'install.sh: %s\n' "$2" >&2
  [ -z "${3-}" ] || printf 'hint: %s\n' "$3" >&2
  exit "$1"
}

has() { command -v "$1" >/dev/null 2>&1; }

# Prints the target of this machine; nothing if there is no archive for it.
target_of_machine() {
  case $(uname -m) in
    x86_64 | amd64) cpu=x86_64 ;;
    aarch64 | arm64) cpu=aarch64 ;;
    *) return ;;
  esac
  case $(uname -s) in
    Linux) echo "$cpu-unknown-linux-musl" ;; # static: it runs with any C library
    Darwin) echo "$cpu-apple-darwin" ;;
    MINGW* | MSYS* | CYGWIN*) [ "$cpu" = aarch64 ] || echo "$cpu-pc-windows-msvc" ;;
  esac
}

# Downloads a file: download URL FILE; returns 1 if the server does not have it.
download() {
  if has curl; then
    code=$(curl --silent --show-error --location --retry 3 --write-out '%{http_code}' --output "$2" "$1") || {
      [ $? = 37 ] && return 1 # a file:// that is not there
      fail 2 "$1: cannot be downloaded" "check the network, or name a mirror in DEDUP_BASE_URL"
    }
    case $code in
      200 | 000) ;; # 000 of file://
      404 | 410) return 1 ;;
      *) fail 2 "$1: the server answered $code, expected 200" "try again later, or name a mirror in DEDUP_BASE_URL" ;;
    esac
  elif has wget; then
    wget -S -q -O "$2" "$1" 2>"$2.log" || {
      awk '/^ *HTTP\/[0-9.]+ (404|410)/ { found = 1 } END { exit !found }' "$2.log" && return 1
      fail 2 "$1: cannot be downloaded" "check the network and that there is such a release"
    }
    rm -f "$2.log"
  else
    fail 2 "neither curl nor wget found, expected one of them" "install curl"
  fi
}

# Prints the SHA-256 of a file.
digest() {
  if has sha256sum; then
    sha256sum <"$1" | cut -d ' ' -f 1
  elif has shasum; then
    shasum -a 256 <"$1" | cut -d ' ' -f 1
  elif has openssl; then
    openssl dgst -sha256 -r <"$1" | cut -d ' ' -f 1
  else
    fail 2 "neither sha256sum, shasum nor openssl found, expected one of them" "install coreutils"
  fi
}

case $# in
  2 | 3) ;;
  *) fail 2 "expected VERSION and FOLDER" "sh install.sh v0.1.0 \"\$HOME/.local/bin\"" ;;
esac
version=${1#v} folder=$2
case $version in
  *[!0-9A-Za-z.+-]* | '' | [!0-9]*) fail 2 "$1: expected a version, such as v0.1.0" ;;
esac
case $folder in
  '') fail 2 "expected a folder to install into" ;;
  -*) folder=./$folder ;;
esac
target=${3-$(target_of_machine)}
case $target in
  '') fail 1 "no archive for $(uname -s) on $(uname -m)" "cargo install builds it from source" ;;
  *[!0-9A-Za-z_-]*) fail 2 "$target: expected a target, such as x86_64-unknown-linux-musl" ;;
  *windows*) name=dedup-$version-$target file=$name.zip program=dedup.exe ;;
  *) name=dedup-$version-$target file=$name.tar.gz program=dedup ;;
esac

installed=$folder/$program
if [ -e "$installed" ] || [ -L "$installed" ]; then
  if [ -f "$installed" ] && [ "$("$installed" --version 2>/dev/null || true)" = "dedup $version" ]; then
    echo "$installed: dedup $version is there already"
    exit 0
  fi
  fail 2 "$installed: is there already, and is not dedup $version" "name another folder, or move it away"
fi

made=
[ -d "$folder" ] || made=$folder
mkdir -p "$folder" || fail 2 "$folder: cannot be made" "name a folder that may be written to"
work=$(mktemp -d "$folder/.dedup.XXXXXX") || fail 2 "$folder: cannot be written to"
clean() {
  rm -rf "$work"
  # Removes the folder that was created for nothing.
  [ -z "$made" ] || rmdir "$made" 2>/dev/null || true
}
trap clean EXIT
trap 'exit 2' HUP INT TERM

url=$base/v$version
download "$url/SHA256SUMS" "$work/SHA256SUMS" ||
  fail 1 "$url/SHA256SUMS: not found" "there is no such release, or it is a draft"
want=$(awk -v file="$file" '$2 == file || $2 == "*" file { print $1; exit }' "$work/SHA256SUMS")
[ -n "$want" ] || fail 1 "$url/SHA256SUMS: no $file in it" "cargo install builds it from source"
download "$url/$file" "$work/$file" || fail 2 "$url/$file: not found, though SHA256SUMS has it"
found=$(digest "$work/$file")
[ "$found" = "$want" ] ||
  fail 2 "$url/$file: SHA-256 $found, expected $want" "it is cut or was changed on its way: do not run it"

if has gh && gh auth status >/dev/null 2>&1; then
  gh attestation verify "$work/$file" --repo "$repository" >/dev/null ||
    fail 2 "$url/$file: no attestation that $repository built it" "do not run it"
else
  echo "install.sh: the attestation is not checked: gh is not there, or not logged in" >&2
fi

case $file in
  *.zip) if has unzip; then unzip -q "$work/$file" -d "$work"; else tar -xf "$work/$file" -C "$work"; fi ;;
  *) tar -xzf "$work/$file" -C "$work" ;;
esac || fail 2 "$url/$file: cannot be unpacked"
[ -f "$work/$name/$program" ] || fail 2 "$url/$file: no $name/$program in it"
# A program for another machine cannot be run here.
if [ $# = 2 ]; then
  runs=$("$work/$name/$program" --version) || fail 2 "$file: does not run on this machine"
  [ "$runs" = "dedup $version" ] || fail 2 "$file: is $runs, expected dedup $version"
fi
mv "$work/$name/$program" "$installed"
made=
echo "$installed: dedup $version"
