import Foundation
import Testing

/// Tests of the reports of `file-sync` about files of the mirror that the source no longer has or
/// never had.
@Suite struct KeptFileTests {
  @Test func `a kept file is reported as gone, and as removed only when it is deleted`() throws {
    let mirror = try Mirror()
    defer { mirror.remove() }
    for name in ["a", "b", "in/c"] { try mirror.write(name, name) }
    _ = try mirror.run()
    try mirror.delete("b")
    try mirror.delete("in/c")
    #expect(try mirror.run().changes == ["b": "updated: gone", "in/c": "updated: gone"])
    #expect(try mirror.run().changes == [:])
    // Later news does not change the kept file's item.
    try mirror.write("d", "d")
    #expect(try mirror.run().changes == ["d": "added"])
    let deleting = try mirror.run(["delete": "true"])
    #expect(deleting.changes == ["b": "removed", "in/c": "removed"])
    #expect(try mirror.isSame())
  }

  @Test func `a kept file that the user deletes is reported as removed`() throws {
    let mirror = try Mirror()
    defer { mirror.remove() }
    for name in ["a", "b"] { try mirror.write(name, name) }
    _ = try mirror.run()
    try mirror.delete("b")
    _ = try mirror.run()
    try FileManager.default.removeItem(atPath: mirror.copy + "/b")
    #expect(try mirror.run().changes == ["b": "removed"])
    #expect(try mirror.run().changes == [:])
  }

  @Test func `a kept file that the source has again is no longer reported as gone`() throws {
    let mirror = try Mirror()
    defer { mirror.remove() }
    for name in ["a", "b"] { try mirror.write(name, name) }
    _ = try mirror.run()
    try mirror.delete("b")
    _ = try mirror.run()
    try mirror.write("b", "b")
    #expect(try mirror.run().changes == ["b": "updated"])
    #expect(try mirror.isSame())
  }

  @Test func `the files of an earlier source are also kept`() throws {
    var mirror = try Mirror()
    defer { mirror.remove() }
    for name in ["a", "b", "other/a"] { try mirror.write(name, "text") }
    _ = try mirror.run()
    mirror.address += "/other"
    let changes = try mirror.run().changes
    #expect(changes["b"] == "updated: gone")
    #expect(changes["other/a"] == "updated: gone")
    #expect(try mirror.texts() == ["a": "text", "b": "text", "other/a": "text"])
  }

  @Test func `files that the source never had do not become items`() throws {
    let mirror = try Mirror()
    defer { mirror.remove() }
    try mirror.write("a", "a")
    try mirror.writeCopy("own", "own")
    _ = try mirror.run()
    try mirror.write("b", "b")
    #expect(try mirror.run().changes == ["b": "added"])
  }
}
