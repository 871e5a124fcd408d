import FetchConfig
import Testing

/// The store's path without the rest of the config.
struct ConfigStoreTests {
  private func store(_ text: String, _ environment: [String: String] = [:]) throws -> String? {
    let folder = try ConfigFolder(["fetchrun.yaml": text])
    defer { folder.remove() }
    let store = try ConfigFile.store(
      folder.mainFile, locations: Locations(environment: [:], executable: ""),
      environment: environment)
    return store?.replacing(folder.path, with: "FOLDER")
  }

  private static let job = "  - {name: a, plugin: rss}\n"

  private static let cases: [(text: String, path: String?)] = [
    ("store: /var/a.sqlite\njobs:\n\(job)", "/var/a.sqlite"),
    ("store: a.sqlite\njobs:\n\(job)", "FOLDER/a.sqlite"),
    ("# first\nstore: ${A}/b\n\njobs:\n# one\n- {name: a, plugin: rss}\n", "/x/b"),
    ("jobs:\n\(job)store: late.sqlite\n", "FOLDER/late.sqlite"),
    ("jobs:\n\(job)\"store\": late.sqlite\n", "FOLDER/late.sqlite"),
    ("{store: a.sqlite, jobs: []}", "FOLDER/a.sqlite"),
    ("store: \"a\njobs: b\"\njobs: []\n", "FOLDER/a jobs: b"),
    ("jobs:\n\(job)", nil),
    ("budget: {runs: 3}\njobs:\n\(job)", nil),
  ]

  @Test(arguments: cases) func `it is what the whole config says`(
    text: String, path: String?
  ) throws {
    #expect(try store(text, ["A": "/x"]) == path)
    let whole = try ConfigFolder.load(text, environment: ["A": "/x"])
    #expect((whole.store == nil) == (path == nil))
  }

  @Test func `mistakes among the jobs are no matter, those before them are told`() throws {
    #expect(try store("store: /a\njobs:\n  - {nmae: a}\n") == "/a")
    #expect(throws: ConfigProblems.self) { try store("stoer: /a\njobs:\n" + Self.job) }
    #expect(throws: ConfigProblems.self) { try store("store: /a\n") }
  }
}
