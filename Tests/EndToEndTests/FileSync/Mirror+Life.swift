import Foundation
import Testing

extension Mirror {
  /// File names that people and programs use.
  static let oddNames = [
    "space and  two.txt", "100%.txt", "%20.txt", "hash#mark?.txt", "a&b<c>.txt",
    "quote's \"q\".txt",
    "ümläut.txt", "u\u{308}.txt", "日本語.txt", "UPPER.txt", "upper.txt", "plus+semi;colon,.txt",
    "back\\slash.txt", ".hidden", "~tilde", "[brackets]{}.txt", "trailing .", "emoji 🦊",
    "$HOME `x`",
    String(repeating: "long", count: 62) + ".txt",
  ]

  /// The number of files at the start of `live`.
  static let liveCount = Int64(oddNames.count + 3)

  /// Checks a mirror from its first run to deletions and repairs, in a tree of three folders.
  /// `first` is the expected number of requests in the first run. `later` is the expected number in
  /// the second and the third run. nginx does not list names that begin with a dot.
  func live(first: Int64, later: Int64, hidesDotFiles: Bool = false) throws {
    let names = Self.oddNames.filter { !(hidesDotFiles && $0.hasPrefix(".")) }
    for (number, name) in names.enumerated() {
      try write("odd ä%/" + name, String(repeating: "\(number)", count: number))
    }
    try write("one.txt", "1")
    try write("two.bin", "\0\u{1}\r\n")
    try write("in/deep.txt", "deep")

    let began = try run()
    #expect(began.outcome == "newData +\(names.count + 3) ~0 -0")
    #expect(Set(began.changes.values) == ["added"])
    #expect(began.requestCount == first)
    #expect(began.messages.allSatisfy { $0.hasSuffix(" received") })
    #expect(try isSame())

    // The second run finds the files that arrived. The third run does not need to look for them.
    for _ in 2...3 {
      let again = try run()
      #expect(again.outcome.hasPrefix("noData "))
      #expect(again.requestCount == later)
      #expect(again.messages == [])
    }

    try write("one.txt", "one", at: 1_700_000_100)
    try write("odd ä%/new.txt", "new", at: 1_700_000_100)
    try delete("in/deep.txt")
    let changed = try run()
    #expect(changed.outcome == "newData +1 ~2 -0")
    #expect(
      changed.changes == [
        "one.txt": "updated", "odd ä%/new.txt": "added", "in/deep.txt": "updated: gone",
      ])
    #expect(changed.messages.count == 2)
    #expect(try texts()["one.txt"] == "one")
    // Nothing is deleted without the option delete.
    #expect(try texts()["in/deep.txt"] == "deep")

    let deleting = try run(["delete": "true"])
    #expect(deleting.outcome == "newData +0 ~0 -1")
    #expect(deleting.changes == ["in/deep.txt": "removed"])
    #expect(try isSame())

    // Files that were changed or lost in the mirror are restored, which is not news of the source.
    try writeCopy("one.txt", "own")
    try FileManager.default.removeItem(atPath: copy + "/two.bin")
    let mended = try run(["delete": "true"])
    #expect(mended.outcome.hasPrefix("noData "))
    #expect(mended.messages.count == 2)
    #expect(try isSame())
  }
}
