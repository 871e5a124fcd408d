import FetchModel
import FetchTestSupport
import FetchValues
import Testing

/// Tests of the tables that hook files return.
@Suite struct HookManifestTests {
  @Test func `a hook file needs only its functions`() throws {
    let manifest = try ManifestReader.readHook(
      ["functions": ["on_item", "before_run"]], named: "tidy"
    ).get()
    #expect(manifest.name == "tidy")
    #expect(manifest.functions == ["on_item", "before_run"])
    #expect(manifest.window == .seconds(10))
  }

  @Test func `a hook file may declare options and permissions like a plugin`() throws {
    let manifest = try ManifestReader.readHook(
      [
        "api": 1, "name": "notes", "version": "2.0.0", "description": "d", "timeout": "3s",
        "options": ["server": ["type": "url", "required": true]],
        "permissions": [
          "http": ["{options.server}"], "secrets": ["token": ["hosts": ["{options.server}"]]],
        ],
        "functions": ["on_new_data"],
      ], named: "file"
    ).get()
    #expect(manifest.name == "notes")
    #expect(manifest.window == .seconds(3))
    #expect(manifest.options.map(\.name) == ["server"])
    #expect(manifest.permissions.secrets.map(\.name) == ["token"])
  }

  static let all = "before_run, on_item, on_new_data, on_no_data, on_failed, on_recovered"

  static let broken: [(table: Value, problem: String)] = [
    (["functions": []], "the hook file has no function; add one of \(all)"),
    (
      ["functions": ["on_itme"]],
      "on_itme: unknown function (did you mean 'on_item'?); a hook file may have \(all)"
    ),
    (["functions": ["helper"]], "helper: unknown function; a hook file may have \(all)"),
    (
      ["functions": ["on_item", "fetch"]],
      "fetch: a hook file cannot have the function fetch: write it in a plugin file"
    ),
    (["functions": ["on_item"], "interval": "1h"], "interval: unknown key"),
    (["functions": ["on_item"], "optoins": [:]], "optoins: unknown key (did you mean 'options'?)"),
    (
      ["functions": ["on_item"], "api": 2],
      "api: this fetchrun supports plugin interface 1, but the file needs 2"
    ),
    (
      ["functions": ["on_item"], "name": "No Name"],
      "name: must be up to 64 lower-case ASCII letters, digits, '-', '_' and '.'"
    ),
    (
      "text",
      "the file must return a table of functions; end it with: return { on_item = … }"
    ),
  ]

  @Test(arguments: broken.indices) func `a mistake is reported with what to do`(index: Int) {
    switch ManifestReader.readHook(Self.broken[index].table, named: "file") {
    case .success: Issue.record("the invalid hook file was accepted")
    case .failure(let problems):
      #expect(problems.all.map(\.description) == [Self.broken[index].problem])
    }
  }

  @Test(
    arguments: [
      (["functions": ["fetch"]], false), (["functions": ["fetch", "on_item"]], false),
      (["functions": ["on_item"]], true), (["functions": ["on_itme"]], true),
      (["functions": ["fecth"]], false), (["functions": []], false), ("text", false),
    ] as [(Value, Bool)])
  func `a table is that of a hook file if it has the functions of one`(table: Value, isHook: Bool) {
    #expect(ManifestReader.isHook(table) == isHook)
  }

  @Test func `the line of a function is found, however the function is written`() {
    let source = """
      local hook = {}
      function hook.on_itme(item) return item end
      hook.on_faild = function() end
      return hook
      """
    #expect(ManifestLocation.line(of: ["on_itme"], in: source) == 2)
    #expect(ManifestLocation.line(of: ["on_faild"], in: source) == 3)
  }
}
