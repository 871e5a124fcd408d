import FetchValues
import Foundation
import Testing

/// Tests of `file-sync` with a folder of this machine as the source: its options, the times of
/// files, and names that a mirror cannot have.
@Suite struct FileSyncTests {
  @Test func `a run deletes at most max_delete files`() throws {
    let mirror = try Mirror()
    defer { mirror.remove() }
    for name in ["a", "b", "in/c", "in/d"] { try mirror.write(name, name) }
    _ = try mirror.run(["delete": "true", "max_delete": "2"])
    try mirror.write("new", "new")
    for name in ["b", "in/c", "in/d"] { try mirror.delete(name) }
    let refused = try mirror.run(["delete": "true", "max_delete": "2"])
    #expect(
      refused.outcome
        == "failed: 3 files here are not in the source, more than max_delete = 2; nothing was changed"
    )
    #expect(try mirror.texts() == ["a": "a", "b": "b", "in/c": "in/c", "in/d": "in/d"])
    // The failed run kept its state, so the next run finds the same changes.
    let allowed = try mirror.run(["delete": "true", "max_delete": "3"])
    #expect(allowed.outcome == "newData +1 ~0 -3")
    #expect(try mirror.texts() == ["a": "a", "new": "new"])
    #expect(!FileManager.default.fileExists(atPath: mirror.copy + "/in"))
  }

  @Test func `files that the mirror excludes are not deleted`() throws {
    let mirror = try Mirror()
    defer { mirror.remove() }
    try mirror.write("a.txt", "a")
    try mirror.writeCopy("own.log", "own")
    try mirror.writeCopy("cache/deep/x.txt", "own")
    try mirror.writeCopy("y.txt", "gone")
    _ = try mirror.run(["delete": "true", "include": "*.txt", "exclude": "cache/"])
    #expect(try mirror.texts() == ["a.txt": "a", "own.log": "own", "cache/deep/x.txt": "own"])
  }

  @Test func `a dry run only reports what would be done`() throws {
    let mirror = try Mirror()
    defer { mirror.remove() }
    try mirror.write("a", "1")
    try mirror.write("b", "2")
    _ = try mirror.run()
    try mirror.write("a", "longer")
    try mirror.write("in/c", "3")
    try mirror.delete("b")
    let dry = try mirror.run(["dry_run": "true", "delete": "true"])
    #expect(dry.outcome.hasPrefix("noData "))
    #expect(
      dry.messages.map { $0.split(separator: ": ").last.map(String.init) } == [
        "would delete b", "would fetch a", "would fetch in/c",
      ])
    #expect(try mirror.texts() == ["a": "1", "b": "2"])
    let real = try mirror.run()
    #expect(real.changes == ["a": "updated", "b": "updated: gone", "in/c": "added"])
    #expect(try mirror.texts() == ["a": "longer", "b": "2", "in/c": "3"])
  }

  @Test func `replaced and deleted files are kept in a backup folder`() throws {
    let mirror = try Mirror()
    defer { mirror.remove() }
    try mirror.write("in/a", "1")
    try mirror.write("b", "2")
    let options = ["backup": "old", "delete": "true"]
    _ = try mirror.run(options)
    try mirror.write("in/a", "new a", at: 1_700_000_100)
    try mirror.delete("b")
    _ = try mirror.run(options)
    let texts = ["in/a": "new a", "old/in/a": "1", "old/b": "2"]
    #expect(try mirror.texts() == texts)
    // The source cannot write to the backup folder.
    try mirror.write("old/in/a", "forged", at: 1_700_000_100)
    let warned = try mirror.run(options)
    #expect(warned.changes == ["old/in/a": "added: it is in the backup folder"])
    for _ in 1...2 {
      #expect(try mirror.run(options).outcome.hasPrefix("noData "))
      #expect(try mirror.texts() == texts)
    }
  }

  @Test func `the option compare decides whether two files are the same`() throws {
    let mirror = try Mirror()
    defer { mirror.remove() }
    try mirror.write("same", "abc")
    try mirror.write("other", "abc")
    try mirror.writeCopy("same", "abc")
    try mirror.writeCopy("other", "xyz")
    #expect(try mirror.run(["compare": "size"]).messages == [])
    #expect(try mirror.texts() == ["same": "abc", "other": "xyz"])
    let summed = try mirror.run(["compare": "checksum"])
    #expect(summed.messages == ["fetchrun: mirror: other: 3 bytes received"])
    #expect(try mirror.texts() == ["same": "abc", "other": "abc"])
    let timed = try mirror.run()
    #expect(timed.messages == ["fetchrun: mirror: same: 3 bytes received"])
    #expect(try mirror.run().messages == [])
  }

  @Test(arguments: [2, 1, 0.01])
  func `times are kept as exactly as the local file system permits`(step: Double) throws {
    let mirror = try Mirror()
    defer { mirror.remove() }
    let times = [1_700_000_001.125, 1_700_000_003.5, 1_700_000_004, 1_700_000_005.999]
    for (number, time) in times.enumerated() { try mirror.write("\(number)", "abc", at: time) }
    _ = try mirror.run()
    #expect(try mirror.isSame())
    try mirror.loseTimes(to: step)
    for _ in 1...2 { #expect(try mirror.run().messages == []) }
    try mirror.write("2", "xyz", at: times[2] + step)
    #expect(try mirror.run().messages == ["fetchrun: mirror: 2: 3 bytes received"])
    #expect(try mirror.isSame())
  }

  @Test func `times outside the range of the local file system become its first and last one`()
    throws
  {
    let mirror = try Mirror()
    defer { mirror.remove() }
    let times = ["epoch": 0, "late": 4_102_444_800.5, "now": 1_700_000_001.125]
    for (name, time) in times { try mirror.write(name, "abc", at: time) }
    _ = try mirror.run()
    #expect(try mirror.isSame())
    // FAT stores times as local time.
    try mirror.setTime(of: "epoch", to: 315_532_800 - 3_600)
    try mirror.setTime(of: "late", to: 0x7FFF_FFFF)
    for _ in 1...2 { #expect(try mirror.run().messages == []) }
    try mirror.setTime(of: "now", to: 0x7FFF_FFFF)
    #expect(try mirror.run().messages == ["fetchrun: mirror: now: 3 bytes received"])
  }

  @Test(arguments: [
    ("*.txt", "", ["a.txt", "in/b.txt", "in/deep/c.txt"]),
    ("/*.txt", "", ["a.txt"]),
    ("in/", "", ["in/b.txt", "in/deep/c.txt", "in/x.log"]),
    ("in/*", "", ["in/b.txt", "in/x.log"]),
    ("in/**", "*.log", ["in/b.txt", "in/deep/c.txt"]),
    ("in/**/c.txt", "", ["in/deep/c.txt"]),
    ("in/**/b.txt", "", ["in/b.txt"]),
    ("**/?.txt", "", ["a.txt", "in/b.txt", "in/deep/c.txt"]),
    ("", "deep/", ["a.txt", "in/b.txt", "in/x.log", "l[1]-%.md"]),
    ("", "in/**", ["a.txt", "l[1]-%.md"]),
    ("l[1]-%.md", "", ["l[1]-%.md"]),
  ])
  func `globs select the mirrored files`(
    include: String, exclude: String, expected: [String]
  ) throws {
    let mirror = try Mirror()
    defer { mirror.remove() }
    for name in ["a.txt", "in/b.txt", "in/deep/c.txt", "in/x.log", "l[1]-%.md"] {
      try mirror.write(name, name)
    }
    var options: [String: String] = [:]
    if !include.isEmpty { options["include"] = include }
    if !exclude.isEmpty { options["exclude"] = exclude }
    let run = try mirror.run(options)
    #expect(run.changes.keys.sorted() == expected)
    #expect(try mirror.texts().keys.sorted() == expected)
  }

  @Test func `a mirror with more files than one commit takes is complete`() throws {
    let mirror = try Mirror()
    defer { mirror.remove() }
    for number in 1...1_050 { try mirror.write("\(number)", "\(number)") }
    #expect(try mirror.run(["include": "?,??"]).outcome == "newData +99 ~0 -0")
    #expect(try mirror.run().outcome == "newData +951 ~0 -0")
    #expect(try mirror.isSame())
    try mirror.write("7", "seven")
    try mirror.delete("1")
    try mirror.delete("999")
    #expect(try mirror.run(["delete": "true"]).outcome == "newData +0 ~1 -2")
    #expect(try mirror.isSame())
  }

  @Test func `files whose names a mirror cannot have fail without affecting others`() throws {
    let mirror = try Mirror()
    defer { mirror.remove() }
    try mirror.write("a", "1")
    try mirror.write("real/b", "2")
    // The name is in Latin-1. It is written as bytes, because Foundation cannot write such a name.
    let name = Array(mirror.source.utf8) + Array("/caf".utf8) + [0xE9, 0]
    let file = name.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { creat($0.baseAddress!, 0o600) }
    }
    #expect(file >= 0)
    close(file)
    symlink("a", mirror.source + "/link")
    try FileManager.default.createDirectory(
      atPath: mirror.copy + "/a", withIntermediateDirectories: true)
    let run = try mirror.run()
    #expect(run.outcome == "newData +4 ~0 -0")
    #expect(
      Set(run.changes.values) == [
        "added", "added: a folder here has that name", "added: it is a symbolic link",
        "added: its name is not UTF-8",
      ])
    #expect(run.messages.count == 4)
    #expect(try mirror.texts() == ["real/b": "2"])
  }
}
