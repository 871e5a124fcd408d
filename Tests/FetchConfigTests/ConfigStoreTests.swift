import FetchConfig
import Testing

/// Tests of the store's path, which is read without the rest of the config.
struct ConfigStoreTests {
  private func store(_ text: String, _ environment: [String: String] = [:]) throws -> String? {
    try found(text, environment).path
  }

  private func found(
    _ text: String, _ environment: [String: String] = [:]
  ) throws -> ConfiguredStore {
    let folder = try ConfigFolder(["fetchrun.yaml": text])
    defer { folder.remove() }
    var store = try ConfigFile.store(
      folder.mainFile, locations: Locations(environment: [:], executable: ""),
      environment: environment)
    store.path = store.path?.replacing(folder.path, with: "FOLDER")
    return store
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

  @Test(arguments: cases) func `the path is that of the whole config`(
    text: String, path: String?
  ) throws {
    #expect(try store(text, ["A": "/x"]) == path)
    let whole = try ConfigFolder.load(text, environment: ["A": "/x"])
    #expect((whole.store == nil) == (path == nil))
  }

  @Test func `mistakes in the jobs do not matter, and mistakes before them are reported`() throws {
    let known = try found("store: /a\njobs:\n  - {nmae: a}\n")
    #expect(known.path == "/a" && known.problems.isEmpty)
    let mistaken = "foo: 1\nstore: /a\nbudget: {requets: 1/h}\njobs:\n" + Self.job
    let found = try found(mistaken)
    #expect(found.path == "/a")
    #expect(found.problems.map(\.line) == [1, 3])
    #expect(found.problems.first?.message == "unknown key 'foo'")
    #expect(try store("store: /a\n") == "/a")
    #expect(try store("foo: 1\njobs:\n" + Self.job) == nil)
    #expect(try store("{store: a.sqlite, jobs: [], foo: 1}") == "FOLDER/a.sqlite")
  }

  @Test(arguments: [
    "stoer: /a\njobs:\n", "store: [/a]\njobs:\n", "store: ${NONE}/a\njobs:\n",
    "store:\njobs:\n", "store: /a\nstore: /b\njobs:\n", "store: /a\nbudget: {runs\njobs:\n",
  ]) func `an ambiguous store is an error, not a guess`(head: String) throws {
    let problems = #expect(throws: ConfigProblems.self) { try store(head + Self.job) }
    #expect(problems?.all.isEmpty == false)
  }

  @Test func `a duplicate key of a job does not matter`() throws {
    let job = "  - name: a\n    name: a\n    plugin: rss\n"
    #expect(
      try store("budget: {runs: 3}\nfoo: 1\njobs:\n\(job)store: late.sqlite\n")
        == "FOLDER/late.sqlite")
  }
}
