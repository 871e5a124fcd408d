import FetchValues
import Foundation
import Testing

/// Tests of the note that a `file-sync` run adds to its line, after the outcome.
@Suite struct FileSyncNoteTests {
  /// Returns the run's line without the costs, and the lines that the plugin logged.
  private func line(
    _ mirror: Mirror, _ options: String...
  ) throws -> (head: String, logs: [String]) {
    let ending = try mirror.program.start(
      [
        "--plugin", "file-sync", "--job", "mirror", "--allow-read", mirror.source, "--files-root",
        mirror.copy, "--option", "source=" + mirror.address,
      ] + options.flatMap { ["--option", $0] }
    ).wait()
    #expect(ending.status == 0, "\(ending)")
    let head = ending.output.prefix { $0 != "(" }
    let logs = ending.messages.split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix("mirror: info: ") }
    return (String(head).trimmingCharacters(in: .whitespaces), logs)
  }

  @Test func `files that are deleted without news are listed and counted`() throws {
    let mirror = try Mirror()
    defer { mirror.remove() }
    try mirror.write("a", "a")
    _ = try line(mirror, "delete=true")
    try mirror.writeCopy("stray", "x")
    try mirror.writeCopy("in/other", "y")
    let run = try line(mirror, "delete=true")
    #expect(run.head == "noData  mirror  2 files deleted")
    #expect(run.logs == ["mirror: info: deleted in/other", "mirror: info: deleted stray"])
    try mirror.writeCopy("stray", "x")
    let kept = try line(mirror, "delete=true", "backup=old")
    #expect(kept.head == "noData  mirror  sameItems; 1 file moved to the backup")
    #expect(kept.logs == ["mirror: info: moved to old: stray"])
  }

  @Test func `downloads that are queued without news are counted`() throws {
    let mirror = try Mirror()
    defer { mirror.remove() }
    for name in ["a", "b", "c"] { try mirror.write(name, name) }
    _ = try line(mirror)
    for name in ["a", "b"] { try FileManager.default.removeItem(atPath: mirror.copy + "/" + name) }
    let run = try line(mirror)
    #expect(run.head == "noData  mirror  2 downloads queued")
    #expect(try mirror.texts() == ["a": "a", "b": "b", "c": "c"])
  }

  @Test func `a run with nothing to do reports that all files are up to date`() throws {
    let mirror = try Mirror()
    defer { mirror.remove() }
    try mirror.write("a", "a")
    _ = try line(mirror)
    // The second run finds the copy, and the third run finds that nothing has changed.
    for _ in 1...2 { #expect(try line(mirror).head == "noData  mirror  1 file is up to date") }
    try mirror.write("b", "b")
    _ = try line(mirror)
    for _ in 1...2 {
      #expect(try line(mirror).head == "noData  mirror  all 2 files are up to date")
    }
    try mirror.write("c", "c")
    try FileManager.default.createSymbolicLink(
      atPath: mirror.source + "/link", withDestinationPath: "a")
    _ = try line(mirror)
    for _ in 1...2 {
      #expect(
        try line(mirror).head == "noData  mirror  3 files are up to date, 1 cannot be mirrored")
    }
  }

  @Test func `a dry run reports the changes that a run would make`() throws {
    let mirror = try Mirror()
    defer { mirror.remove() }
    try mirror.write("a", "a")
    try mirror.write("b", "b")
    try mirror.writeCopy("stray", "x")
    let run = try line(mirror, "delete=true", "dry_run=true")
    #expect(run.head == "noData  mirror  dry run: would fetch 2 files and delete 1 file")
    #expect(try mirror.texts() == ["stray": "x"])
  }
}
