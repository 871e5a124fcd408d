import Foundation
import Testing

/// Tests of `file-sync` if something other than a file has the file's name, if the source or the
/// mirror is inside the other, and if a part of the source cannot be read.
@Suite struct PlaceSyncTests {
  private func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  @Test func `an item loses its problem when the file can have its name`() throws {
    let mirror = try Mirror()
    defer { mirror.remove() }
    try mirror.write("a", "1")
    try mirror.write("b", "2")
    try makeFolder(mirror.copy + "/a")
    #expect(
      try mirror.run().changes == ["a": "added: a folder here has that name", "b": "added"])
    #expect(try mirror.run().changes == [:])
    try FileManager.default.removeItem(atPath: mirror.copy + "/a")
    #expect(try mirror.run().changes == ["a": "updated"])
    #expect(try mirror.isSame())
    #expect(try mirror.run().outcome.hasPrefix("noData "))
    // The problem appears and disappears with the folder that has the file's name.
    try FileManager.default.removeItem(atPath: mirror.copy + "/b")
    try makeFolder(mirror.copy + "/b")
    #expect(try mirror.run().changes == ["b": "updated: a folder here has that name"])
    try FileManager.default.removeItem(atPath: mirror.copy + "/b")
    #expect(try mirror.run().changes == ["b": "updated"])
    #expect(try mirror.isSame())
  }

  @Test func `a folder can become a file and a folder again`() throws {
    let mirror = try Mirror()
    defer { mirror.remove() }
    let options = ["delete": "true"]
    try mirror.write("x/a", "1")
    try mirror.write("x/in/b", "2")
    _ = try mirror.run(options)
    #expect(try mirror.isSame())
    try mirror.delete("x")
    try mirror.write("x", "a file now")
    #expect(
      try mirror.run(options).changes == ["x": "added", "x/a": "removed", "x/in/b": "removed"])
    #expect(try mirror.isSame())
    try mirror.delete("x")
    try mirror.write("x/a", "a folder again")
    #expect(try mirror.run(options).changes == ["x": "removed", "x/a": "added"])
    #expect(try mirror.isSame())
    #expect(try mirror.run(options).outcome.hasPrefix("noData "))
  }

  @Test
  func `without deletions, a file or folder with a name of the other kind is reported and waits`()
    throws
  {
    let mirror = try Mirror()
    defer { mirror.remove() }
    try mirror.write("x/a", "1")
    try mirror.write("y", "2")
    _ = try mirror.run()
    for path in ["x", "y"] { try mirror.delete(path) }
    try mirror.write("x", "a file now")
    try mirror.write("y/b", "in a folder now")
    let run = try mirror.run()
    #expect(
      run.changes == [
        "x": "added: a folder here has that name", "x/a": "updated: gone",
        "y/b": "added: a file here has the name of its folder 'y'", "y": "updated: gone",
      ])
    #expect(try mirror.texts() == ["x/a": "1", "y": "2"])
    #expect(
      try mirror.run(["delete": "true"]).changes == [
        "x": "updated", "x/a": "removed", "y/b": "updated", "y": "removed",
      ])
    #expect(try mirror.isSame())
  }

  @Test func `a mirror inside its source is not mirrored itself`() throws {
    var mirror = try Mirror()
    defer { mirror.remove() }
    mirror.copy = mirror.source + "/in/copy"
    mirror.options = ["delete": "true"]
    try mirror.write("a", "1")
    try mirror.write("in/b", "2")
    #expect(try mirror.run().changes == ["a": "added", "in/b": "added"])
    for _ in 1...2 { #expect(try mirror.run().outcome.hasPrefix("noData ")) }
    #expect(try mirror.texts() == ["a": "1", "in/b": "2"])
  }

  @Test(arguments: ["", "/in", "/in/deep"])
  func `a source inside its mirror is refused and left unchanged`(place: String) throws {
    var mirror = try Mirror()
    defer { mirror.remove() }
    mirror.copy = mirror.source
    mirror.address += place
    try mirror.write("in/deep/a", "1")
    try mirror.write("b", "2")
    let refused = try mirror.run(["delete": "true"])
    #expect(
      refused.outcome
        == "failed: the folder \(mirror.source + place) is part of the job's own folder "
        + "\(mirror.source), to which the job writes; give the job another folder with "
        + "`--files-root` or with `files: { root: … }` in the config")
    #expect(try mirror.texts() == ["in/deep/a": "1", "b": "2"])
  }

  @Test(.enabled(if: ObeyingUser.isAvailable, "setpriv is not installed"))
  func `nothing is deleted while a folder of the source cannot be read`() throws {
    var mirror = try Mirror()
    defer { mirror.remove() }
    mirror.launcher = ObeyingUser.launcher
    mirror.options = ["delete": "true", "include": "*.txt"]
    for path in ["a.txt", "gone.txt", "in/b.txt", "in/deep/c.txt"] { try mirror.write(path, path) }
    _ = try mirror.run()
    #expect(try mirror.isSame())
    try mirror.delete("gone.txt")
    try mirror.write("new.txt", "new")
    chmod(mirror.source + "/in", 0)
    defer { chmod(mirror.source + "/in", 0o755) }
    let partial = try mirror.run()
    #expect(partial.outcome == "newData +2 ~0 -0")
    #expect(partial.changes["new.txt"] == "added")
    #expect(partial.changes["in"]?.hasPrefix("added: ") == true)
    #expect(
      partial.messages.contains {
        $0.contains("nothing is deleted while a folder of the source cannot be read")
      })
    #expect(
      try mirror.texts().keys.sorted()
        == ["a.txt", "gone.txt", "in/b.txt", "in/deep/c.txt", "new.txt"])
    chmod(mirror.source + "/in", 0o755)
    #expect(try mirror.run().changes == ["gone.txt": "removed", "in": "removed"])
    #expect(try mirror.isSame())
  }
}
