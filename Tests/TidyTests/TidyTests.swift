import Testing

/// Tests of the project's coding rules that a machine can check.
@Suite struct TidyTests {
  static let sources = SourceTree.swiftFiles(below: "Sources")
  static let tests = SourceTree.swiftFiles(below: "Tests")

  @Test func `the checks see the sources`() {
    #expect(Self.sources.count > 50)
    #expect(Self.tests.count > 10)
  }

  /// The banned calls, each with its replacement. The calls are split in two so that this file does
  /// not match itself.
  static let banned: [(call: String, modules: [String]?, instead: String)] = [
    ("Date" + "()", nil, "take `now` as a parameter"),
    ("Date" + ".now", nil, "take `now` as a parameter"),
    ("Task" + ".sleep", nil, "sleep on the injected clock"),
    ("Thread" + ".sleep", nil, "wait for a fact, not for time"),
    ("Task" + " {", nil, "begin it on the host's executor, or as a child of another"),
    ("try" + "!", nil, "handle the error"),
    ("as" + "! ", nil, "use `as?` and say what else it can be"),
    ("fatal" + "Error(", nil, "return an error"),
    ("lastIndex(of: " + "\"/\")", nil, "a slash is a byte: see String+Path"),
    ("split(separator: " + "\"/\")", nil, "a slash is a byte: see String+Path"),
    (
      "SystemRandomNumber" + "Generator()", ["FetchValues", "FetchModel", "FetchSchedule"],
      "take the generator as a parameter"
    ),
  ]

  @Test(arguments: banned.indices) func `no banned call`(index: Int) {
    let rule = Self.banned[index]
    let files = Self.sources.filter { rule.modules?.contains($0.module) ?? true }
    let hits = SourceTree.places(in: files) { !isComment($0) && calls(rule.call, in: $0) }
    #expect(hits.isEmpty, "\(rule.instead)")
  }

  @Test func `only the command line prints`() {
    let files = Self.sources.filter { $0.module != "fetchrun" }
    let hits = SourceTree.places(in: files) {
      !isComment($0) && $0.drop(while: \.isWhitespace).hasPrefix("print(")
    }
    #expect(hits.isEmpty)
  }

  @Test func `tests wait for facts, never for time`() {
    // A benchmark samples by time, crash tests kill at random instants, and the probe measures how
    // late a sleep ends.
    let files = Self.tests.filter {
      $0.module != "Benchmarks" && !$0.path.hasSuffix("CrashTests.swift")
        && !$0.path.hasSuffix("/DelayProbe.swift")
    }
    let hits = SourceTree.places(in: files) { line in
      ["Task" + ".sleep", "Thread" + ".sleep", "u" + "sleep("].contains { line.contains($0) }
    }
    #expect(hits.isEmpty)
  }

  @Test func `no unfinished work is marked in the code`() {
    let words = ["TO" + "DO", "FIX" + "ME", "XX" + "X:"]
    let hits = SourceTree.places(in: Self.sources + Self.tests) { line in
      words.contains { line.contains($0) }
    }
    #expect(hits.isEmpty)
  }

  /// The modules that each of these modules may import, in addition to the standard library and
  /// Synchronization. Other modules are not checked by this list.
  static let imports: [String: Set<String>] = [
    "FetchValues": ["NettleLibrary"],
    "FetchModel": ["FetchValues"],
    "FetchSchedule": ["FetchModel", "FetchValues"],
    "FetchWire": ["FetchModel", "FetchValues", "Glibc"],
    "LuaVM": ["CLua"],
    "FetchSandbox": [
      "FetchModel", "FetchValues", "FetchWire", "LuaVM", "XMLLibrary", "CWorker",
      "Glibc",
    ],
    "fetchrun-worker": ["FetchSandbox", "Glibc"],
    "FetchHost": ["FetchModel", "FetchValues", "FetchWire", "CHost", "DequeModule", "Glibc"],
    "FetchStore": ["FetchModel", "FetchValues", "Glibc"],
    "FetchStoreSQLite": [
      "FetchModel", "FetchValues", "FetchStore", "SQLiteLibrary", "Dispatch", "Glibc",
    ],
    "FetchConfig": ["FetchModel", "FetchValues", "YAMLLibrary", "Glibc"],
    "FetchWeb": [
      "FetchModel", "FetchValues", "FetchStore", "FetchConfig", "FetchSchedule", "FetchEngine",
      "FetchHost", "CHost", "Glibc", "NIOCore", "NIOHTTP1", "NIOPosix",
    ],
    "fetchrun-web": ["FetchWeb"],
  ]

  @Test(arguments: imports.keys.sorted())
  func `a module imports only the modules allowed for it`(module: String) {
    let files = Self.sources.filter { $0.module == module }
    let allowed = Self.imports[module, default: []].union(["Synchronization"])
    let hits = SourceTree.places(in: files) { line in
      guard let name = importedModule(line) else { return false }
      return !allowed.contains(name)
    }
    #expect(hits.isEmpty)
  }

  @Test func `no module of the host imports Lua, and no module of the worker imports the host`() {
    let above: Set = [
      "FetchHost", "FetchStore", "FetchStoreSQLite", "FetchConfig", "FetchEngine",
      "FetchAuthoring", "FetchWeb", "fetchrun", "fetchrun-web",
    ]
    let hits = SourceTree.places(in: Self.sources.filter { above.contains($0.module) }) {
      ["CLua", "LuaVM", "LuaLibrary", "FetchSandbox", "XMLLibrary", "CWorker"].contains(
        importedModule($0))
    }
    #expect(hits.isEmpty)
  }

  @Test func `only the server of the web process imports NIO`() {
    let files = Self.sources.filter { !$0.path.hasPrefix("Sources/FetchWeb/Server/") }
    let hits = SourceTree.places(in: files) { importedModule($0)?.hasPrefix("NIO") ?? false }
    #expect(hits.isEmpty)
  }

  @Test func `only StoreOpener names the kinds of stores`() {
    let opener = "Sources/FetchEngine/Stores/StoreOpener.swift"
    let kinds = ["SQLiteStore", "StoreReader", "FetchStoreSQLite"]
    let above: Set = ["FetchEngine", "FetchAuthoring", "FetchWeb", "fetchrun"]
    let files = Self.sources.filter { above.contains($0.module) }
    #expect(files.contains { $0.path == opener })
    let hits = SourceTree.places(in: files.filter { $0.path != opener }) { line in
      kinds.contains { line.contains($0) }
    }
    #expect(hits.isEmpty, "take `any Store`, or open one by its address: see StoreOpener")
  }

  @Test func `folders are named by subject, never by kind`() {
    let kinds: Set = [
      "Helpers", "Utils", "Utilities", "Common", "Managers", "Models", "Extensions",
    ]
    let folders = Self.sources.flatMap { $0.path.split(separator: "/").map(String.init) }
    #expect(kinds.isDisjoint(with: folders))
  }

  /// Whether the line contains the call as a whole word, so that `scanDate()` does not count as
  /// `Date()`.
  private func calls(_ call: String, in line: Substring) -> Bool {
    line.ranges(of: call).contains { range in
      guard range.lowerBound > line.startIndex else { return true }
      let before = line[line.index(before: range.lowerBound)]
      return !before.isLetter && !before.isNumber && before != "_"
    }
  }

  private func isComment(_ line: Substring) -> Bool {
    line.drop(while: \.isWhitespace).hasPrefix("//")
  }

  private func importedModule(_ line: Substring) -> String? {
    let words = line.split(separator: " ")
    guard let place = words.firstIndex(of: "import"), place <= 2, place + 1 < words.count,
      words[..<place].allSatisfy({ ["package", "public", "private", "@testable"].contains($0) })
    else { return nil }
    return String(words[place + 1].prefix { $0 != "." })
  }
}
