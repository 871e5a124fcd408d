import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite struct FilePathTests {
  @Test(arguments: [
    "a", "a/b.txt", "ä/ö ü/100%.txt", "...", ".hidden", "a/..b", "a..", "C:\\x", "a\nb", "~", "*",
    ".fetchrun-partial2", ".FETCHRUN-partial2", "a/.fetchrun-partial", "a/.FETCHRUN-PARTIAL",
    "e\u{301}/é", String(repeating: "n", count: 255),
    String(repeating: "n/", count: 2_047) + "n",
  ]) func `a path of names is valid`(text: String) throws {
    let path = try FilePath(text)
    #expect(path.text.utf8.elementsEqual(text.utf8))
    #expect(path.names.joined(separator: "/").utf8.elementsEqual(text.utf8))
    let whole = path.folder.isRoot ? path.name : path.folder.text + "/" + path.name
    #expect(try FilePath(whole) == path)
  }

  @Test(arguments: [
    ("", FilePathProblem.Reason.empty), ("/", .absolute), ("/etc/passwd", .absolute),
    ("a//b", .emptyName), ("a/", .emptyName), ("..", .dots), ("a/../b", .dots), ("./a", .dots),
    ("a/.", .dots), ("a\0b", .nulByte), ("\0", .nulByte), (".fetchrun-partial", .hidden),
    (".fetchrun-partial/7", .hidden), (".Fetchrun-PARTIAL", .hidden),
    (".FETCHRUN-PARTIAL/7", .hidden), (String(repeating: "n", count: 256), .longName),
    ("a/" + String(repeating: "ä", count: 128), .longName),
    (String(repeating: "n/", count: 2_047) + "nn", .tooLong),
  ]) func `an invalid path is refused with its reason`(text: String, reason: FilePathProblem.Reason)
  {
    #expect(throws: FilePathProblem(path: text, reason: reason)) { try FilePath(text) }
  }

  @Test(arguments: [
    (
      "",
      "'' is not a path in the folder: the path is empty; write the names of the folders and the "
        + "file, separated by /"
    ),
    (
      "/a",
      "'/a' is not a path in the folder: the path begins with /; write a path relative to "
        + "the folder"
    ),
    (
      "a/",
      "'a/' is not a path in the folder: a name in the path is empty; write a single / between "
        + "names and none at the end"
    ),
    (
      "../a",
      "'../a' is not a path in the folder: the path has . or .. as a name; write only the names "
        + "of folders and files"
    ),
    ("a\0b", "'a\\0b' is not a path in the folder: the path has a NUL byte"),
    (
      ".fetchrun-partial/1",
      "'.fetchrun-partial/1' is not a path in the folder: .fetchrun-partial is reserved for fetchrun"
    ),
    (
      String(repeating: "n", count: 300),
      "'\(String(repeating: "n", count: 120))…' is not a path in the folder: a name in the path "
        + "is longer than 255 bytes"
    ),
  ]) func `a refusal has the mistake and the right form`(text: String, message: String) {
    let problem = #expect(throws: FilePathProblem.self) { try FilePath(text) }
    #expect(problem?.description == message)
  }

  @Test func `paths that differ in their bytes are different`() throws {
    #expect(try FilePath("\u{E9}") != FilePath("e\u{301}"))
    #expect(try Set([FilePath("\u{E9}"), FilePath("e\u{301}"), FilePath("\u{E9}")]).count == 2)
  }

  @Test func `the root is the folder of the root`() throws {
    #expect(FilePath.root.folder == .root)
    #expect(FilePath.root.names == [])
    #expect(FilePath.root.name == "")
    #expect(try FilePath("a").folder == .root)
    #expect(try FilePath.root.appending(FilePath("a")) == FilePath("a"))
    #expect(try FilePath("a").appending(.root) == FilePath("a"))
  }

  @Test func `a path below another one must not exceed the longest path`() throws {
    let long = try FilePath(String(repeating: "n/", count: 2_047) + "n")
    #expect(throws: FilePathProblem.self) { try long.appending(FilePath("n")) }
  }

  /// Parts of hostile paths, which the test joins in any order.
  private static let pieces = [
    "a", "b", "/", "/", "..", ".", "\0", "ä", "e\u{301}", "/\u{301}", " ", "%2e%2e", "\\", "~",
    "//", "/../", ".fetchrun-partial", "\u{202E}", "\n", "…",
  ]

  @Test(arguments: 1...20) func `no valid text leaves its folder`(seed: UInt64) {
    var chance = SeededGenerator(seed: seed)
    var takenCount = 0
    for _ in 0..<2_000 {
      let count = Int.random(in: 0...9, using: &chance)
      let text = (0..<count).map { _ in Self.pieces.randomElement(using: &chance) ?? "" }.joined()
      guard let path = try? FilePath(text) else { continue }
      takenCount += 1
      #expect(Self.leads(path.text) == text.utf8.split(separator: 0x2F).map(Array.init))
      #expect(path.names.map { Array($0.utf8) } == Self.leads(text))
      #expect(!text.utf8.contains(0))
    }
    #expect(takenCount > 50)
  }

  /// Returns the place to which a path leads from a folder by the kernel's rules. Returns nil if
  /// the path leaves the folder at any point.
  private static func leads(_ text: String) -> [[UInt8]]? {
    guard text.utf8.first != 0x2F else { return nil }
    var names: [[UInt8]] = []
    for name in text.utf8.split(separator: 0x2F) {
      if name.elementsEqual(".".utf8) { continue }
      if name.elementsEqual("..".utf8) {
        guard names.popLast() != nil else { return nil }
      } else {
        names.append(Array(name))
      }
    }
    return names
  }
}
