import Foundation
import Testing

/// Tests of the deletions that `file-sync` refuses until the user allows them.
@Suite struct DeletionGuardTests {
  /// Returns a mirror of `count` files named `1`, `2` and so on.
  private func mirror(count: Int) throws -> Mirror {
    var mirror = try Mirror()
    mirror.options = ["delete": "true"]
    for number in 1...count { try mirror.write("\(number)", "\(number)") }
    _ = try mirror.run()
    #expect(try mirror.isSame())
    return mirror
  }

  /// Returns the confirmation code in the message of a refusal.
  private func word(_ run: Mirror.Run) throws -> String {
    try String(#require(run.outcome.wholeMatch(of: /.* set allow_delete: '([0-9a-f]{8})'/)?.1))
  }

  @Test func `if the source has no files, nothing is deleted without the code from the refusal`()
    throws
  {
    let mirror = try mirror(count: 30)
    defer { mirror.remove() }
    for number in 1...30 { try mirror.delete("\(number)") }
    let refused = try mirror.run()
    let word = try word(refused)
    #expect(
      refused.outcome
        == "failed: the source has no files, so 30 files here would be deleted: '1', '10', '11' and "
        + "27 more; nothing was changed; to delete them, set allow_delete: '\(word)'")
    // A large max_delete does not replace the code.
    #expect(try mirror.run(["max_delete": "1000"]).outcome == refused.outcome)
    #expect(
      try mirror.run(["allow_delete": "01234567"]).outcome
        == refused.outcome.replacing(
          "; to delete", with: "; allow_delete: '01234567' is the code for other files; to delete"))
    #expect(try mirror.texts().count == 30)
    #expect(try mirror.run(["allow_delete": word]).outcome == "newData +0 ~0 -30")
    #expect(try mirror.texts() == [:])
    // The code is valid only for the files of the refused run.
    try mirror.write("1", "1")
    _ = try mirror.run()
    try mirror.delete("1")
    let again = try mirror.run(["allow_delete": word])
    #expect(
      again.outcome
        == "failed: the source has no files, so 1 file here would be deleted: '1'; nothing was "
        + "changed; allow_delete: '\(word)' is the code for other files; to delete it, set allow_delete: '\(try self.word(again))'"
    )
    #expect(try mirror.run(["allow_delete": "any"]).outcome == "newData +0 ~0 -1")
  }

  @Test
  func
    `if the source has another address, nothing is deleted without the code from the refusal`()
    throws
  {
    var mirror = try mirror(count: 8)
    defer { mirror.remove() }
    for number in 1...7 { try mirror.write("other/\(number)", "\(number)") }
    mirror.address += "/other"
    let refused = try mirror.run()
    let word = try word(refused)
    #expect(
      refused.outcome
        == "failed: the address of the source has changed, so 1 file here would be deleted: '8'; "
        + "nothing was changed; to delete it, set allow_delete: '\(word)'")
    #expect(try mirror.run(["allow_delete": word]).changes["8"] == "removed")
    #expect(try mirror.texts().count == 7)
    // From now on, the other folder is the source of the mirror.
    try mirror.delete("other/7")
    #expect(try mirror.run().outcome == "newData +0 ~0 -1")
  }

  @Test(arguments: [true, false])
  func `files of an earlier source stay protected after a run without delete`(
    returns: Bool
  ) throws {
    var mirror = try mirror(count: 8)
    defer { mirror.remove() }
    for number in 1...7 { try mirror.write("other/\(number)", "\(number)") }
    try mirror.write("other/new", "new")
    let first = mirror.address
    mirror.address += "/other"
    for _ in 1...2 { #expect(try !mirror.run(["delete": "false"]).outcome.hasPrefix("failed")) }
    #expect(try mirror.texts().count == 9)
    // Neither source may delete the files of the other source.
    if returns {
      try FileManager.default.removeItem(atPath: mirror.source + "/other")
      mirror.address = first
    }
    let refused = try mirror.run()
    let word = try word(refused)
    #expect(
      refused.outcome
        == "failed: the address of the source has changed, so 1 file here would be deleted: "
        + "'\(returns ? "new" : "8")'; nothing was changed; to delete it, set allow_delete: '\(word)'"
    )
    #expect(try mirror.texts().count == 9)
    #expect(try !mirror.run(["allow_delete": word]).outcome.hasPrefix("failed"))
    #expect(try mirror.texts().count == 8)
    // From now on, this folder is the source of the mirror.
    try mirror.delete(returns ? "8" : "other/7")
    #expect(try mirror.run().outcome == "newData +0 ~0 -1")
  }

  @Test(arguments: ["other", "1b4f0e9", "1B4F0E98", "ANY"])
  func `an allow_delete that cannot be a code is a mistake`(word: String) throws {
    var mirror = try Mirror()
    defer { mirror.remove() }
    mirror.options = ["delete": "true"]
    try mirror.write("a", "a")
    #expect(
      try mirror.run(["allow_delete": word]).outcome
        == "failed: invalid allow_delete '\(word)': use the code from a refused run, such as "
        + "'1b4f0e98', or any")
    #expect(try mirror.texts() == [:])
    #expect(try mirror.run(["allow_delete": ""]).outcome == "newData +1 ~0 -0")
  }

  @Test func `another source with the same files is mirrored immediately`() throws {
    var mirror = try mirror(count: 2)
    defer { mirror.remove() }
    for number in 1...3 { try mirror.write("other/\(number)", "\(number)") }
    mirror.address += "/other"
    #expect(try mirror.run().outcome.hasPrefix("newData +1 "))
  }

  @Test func `most files of a mirror are deleted only if max_delete allows that many`() throws {
    let mirror = try mirror(count: 11)
    defer { mirror.remove() }
    for number in 1...6 { try mirror.delete("\(number)") }
    let refused = try mirror.run()
    #expect(
      refused.outcome
        == "failed: 6 of 11 files here are not in the source: '1', '2', '3' and 3 more; nothing was "
        + "changed; to delete them, set max_delete: 6")
    let dry = try mirror.run(["dry_run": "true"])
    #expect(dry.outcome == refused.outcome)
    #expect(dry.messages.filter { $0.contains("would delete ") }.count == 6)
    #expect(try mirror.texts().count == 11)
    #expect(try mirror.run(["max_delete": "6"]).outcome == "newData +0 ~0 -6")
    #expect(try mirror.isSame())
  }

  @Test func `half of a mirror is deleted without a code, and so are most files of a small one`()
    throws
  {
    let mirror = try mirror(count: 12)
    defer { mirror.remove() }
    for number in 1...6 { try mirror.delete("\(number)") }
    #expect(try mirror.run().outcome == "newData +0 ~0 -6")
    for number in 7...11 { try mirror.delete("\(number)") }
    #expect(try mirror.run().outcome == "newData +0 ~0 -5")
    #expect(try mirror.isSame())
  }
}
