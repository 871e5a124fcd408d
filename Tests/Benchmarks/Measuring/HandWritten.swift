import Foundation

/// A program in Go that fetches the feeds as a person would write it by hand (`Peers/feeds.go`):
/// net/http, gofeed, sqlite3, conditional requests.
struct HandWritten {
  private let binary: URL
  private let scratch: URL
  private var store: URL { scratch.appending(path: "go.sqlite") }

  /// Compiles the program; nil if this fails, for example because Go or a package is not installed.
  /// Debian has them as `golang-go`, `golang-github-mmcdole-gofeed-dev` and
  /// `golang-github-mattn-go-sqlite3-dev`.
  init?(scratch: URL) {
    self.scratch = scratch
    binary = scratch.appending(path: "hand-written")
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Peers/feeds.go").standardized
    let command = """
      GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE="$1/go-cache" \
      exec go build -tags libsqlite3 -o "$2" "$3"
      """
    let build = try? ChildProcess(
      "sh", ["-c", command, "sh", scratch.path, binary.path, source.path],
      errors: scratch.appending(path: "go.txt")
    ).wait()
    guard build?.exitStatus == 0 else { return nil }
  }

  func forgetStore() {
    for suffix in ["", "-wal", "-shm"] { unlink(store.path + suffix) }
  }

  /// Fetches the addresses. Throws unless exactly `added` items are new.
  func run(_ urls: [String], added: Int) throws -> Usage {
    let list = scratch.appending(path: "addresses.txt")
    try urls.joined(separator: "\n").write(to: list, atomically: false, encoding: .utf8)
    let output = scratch.appending(path: "go-output.txt")
    let usage = try ChildProcess(binary.path, [store.path, list.path], output: output).wait()
    try usage.check("the Go program")
    let text = try String(contentsOf: output, encoding: .utf8)
    guard text == "\(added)\n" else {
      throw BenchmarkError("the Go program stored \(text) new items instead of \(added)")
    }
    return usage
  }
}
