import Testing

/// Tests that the folders of a module form no cycle.
@Suite struct FolderTests {
  /// The modules to check.
  static let modules = [
    "FetchValues", "FetchModel", "FetchSchedule", "FetchSandbox", "FetchHost", "FetchConfig",
    "FetchStore", "FetchStoreSQLite", "FetchEngine", "FetchAuthoring", "FetchWeb", "fetchrun",
  ]

  @Test(arguments: modules) func `no folder of a module uses one that uses it`(module: String) {
    let files = TidyTests.sources.filter { $0.module == module }
    #expect(files.count > 5)
    #expect(FolderGraph(files).cycles == [])
  }

  @Test func `a cycle is found, with its types`() {
    let graph = FolderGraph([
      file("A/One.swift", "struct One { var two: Two }"),
      file("B/Two.swift", "struct Two { func f() { print(\"\\(Three.x) // One\") } }"),
      file("C/Three.swift", "/// Two", "enum Three { static let x = One.self }"),
      file("D/Four.swift", "struct Four { let one: One; struct Two {} }"),
    ])
    #expect(
      graph.cycles == [
        "A -> B: Two (Sources/M/A/One.swift)", "B -> C: Three (Sources/M/B/Two.swift)",
        "C -> A: One (Sources/M/C/Three.swift)",
      ])
  }

  private func file(_ path: String, _ lines: Substring...) -> SourceTree.File {
    SourceTree.File(path: "Sources/M/" + path, lines: lines)
  }
}
