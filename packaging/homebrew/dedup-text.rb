class DedupText < Formula
  desc "Decides whether two texts are near-duplicates"
  homepage "https://github.com/REPOSITORY"
  version "VERSION"
  license "MIT"

  on_macos do
    on_arm do
      url "https://github.com/REPOSITORY/releases/download/vVERSION/dedup-VERSION-aarch64-apple-darwin.tar.gz"
      sha256 "SHA256(aarch64-apple-darwin)"
    end
    on_intel do
      url "https://github.com/REPOSITORY/releases/download/vVERSION/dedup-VERSION-x86_64-apple-darwin.tar.gz"
      sha256 "SHA256(x86_64-apple-darwin)"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/REPOSITORY/releases/download/vVERSION/dedup-VERSION-aarch64-unknown-linux-musl.tar.gz"
      sha256 "SHA256(aarch64-unknown-linux-musl)"
    end
    on_intel do
      url "https://github.com/REPOSITORY/releases/download/vVERSION/dedup-VERSION-x86_64-unknown-linux-musl.tar.gz"
      sha256 "SHA256(x86_64-unknown-linux-musl)"
    end
  end

  def install
    bin.install "dedup"
    (share/"dedup").install "dedup.html"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/dedup.bash" => "dedup"
    zsh_completion.install "completions/_dedup"
    fish_completion.install "completions/dedup.fish"
  end

  test do
    (testpath/"left.txt").write "One text that two people wrote in the same words."
    cp testpath/"left.txt", testpath/"right.txt"
    assert_match "IDENTICAL", shell_output("#{bin}/dedup left.txt right.txt")
    (testpath/"right.txt").write "Nothing of the other stands here, not a single sentence."
    shell_output("#{bin}/dedup --quiet left.txt right.txt", 1)
  end
end
