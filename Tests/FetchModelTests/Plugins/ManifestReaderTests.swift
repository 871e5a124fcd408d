import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite struct ManifestReaderTests {
  static let good: Value = [
    "api": 1, "name": "rss", "version": "1.0.0", "description": "feeds",
    "options": ["url": ["type": "url", "required": true]],
    "permissions": ["http": ["{options.url}", "*.example.org"]],
    "interval": "adaptive", "timeout": "45s",
    "items": ["id": ["title", "date"], "ignore": ["score"], "first_run": "latest:5"],
    "functions": ["fetch"],
  ]

  @Test func `a manifest is read completely`() throws {
    let manifest = try ManifestReader.read(Self.good).get()
    #expect(manifest.name == "rss")
    #expect(manifest.options.map(\.name) == ["url"])
    #expect(manifest.options.first?.kind == .url)
    #expect(manifest.options.first?.isRequired == true)
    #expect(manifest.permissions.http == ["{options.url}", "*.example.org"])
    #expect(manifest.window == .seconds(45))
    #expect(manifest.items.ignore == ["score"])
    #expect(manifest.functions == ["fetch"])
  }

  /// Changes of the valid manifest, each with the only problem that the change must cause.
  static let broken: [(key: String, value: Value?, problem: String)] = [
    ("api", nil, "api: must be the version of the plugin interface; write api = 1"),
    ("api", 2, "api: this fetchrun supports plugin interface 1, but the file needs 2"),
    ("name", nil, "name: is missing; write name = \"daily-ships.v2\""),
    ("name", "A B", "name: must be up to 64 lower-case ASCII letters, digits, '-', '_' and '.'"),
    ("version", 1, "version: must be a string, not an integer"),
    ("optoins", [:], "optoins: unknown key (did you mean 'options'?)"),
    ("functions", [], "fetch: is missing; write fetch = function(ctx) … end"),
    (
      "functions", ["fetch", "on_tranfer"],
      "on_tranfer: unknown function (did you mean 'on_transfer'?)"
    ),
    ("timeout", "soon", "timeout: must be a duration such as \"30s\" or \"2m\""),
    ("timeout", "2d", "timeout: must be at least 1ms and at most 1d"),
    (
      "options", ["url": ["type": "ulr"]],
      "options.url.type: unknown type 'ulr' (did you mean 'url'?);"
        + " use string, url, integer, number, boolean, list, table"
    ),
    ("options", ["url": ["tpye": "url"]], "options.url.tpye: unknown key (did you mean 'type'?)"),
    (
      "permissions", ["http": ["{options.urls}"]],
      "permissions.http: {options.urls} is not an option of this file (did you mean 'url'?)"
    ),
    (
      "permissions", ["http": ["https://example.org/"]],
      "permissions.http: 'https://example.org/' is not a hostname;"
        + " write a name such as example.org or *.example.org, or {options.NAME}"
    ),
    (
      "permissions", ["secrets": ["token"]],
      "permissions.secrets: must be a table: secrets = { token = { hosts = { \"api.example.org\" } } }"
    ),
    (
      "permissions", ["secrets": ["token": [:]]],
      "permissions.secrets.token: must name the hostnames that may receive the secret: hosts = { "
        + "\"api.example.org\" }"
    ),
    (
      "permissions", ["secrets": ["a b": ["hosts": ["a.example"]]]],
      "permissions.secrets.a b: is not a valid secret name; use up to 64 ASCII letters, "
        + "digits, '-', '_' and '.', and do not begin with '.'"
    ),
    (
      "permissions", ["secrets": ["token": ["host": ["a.example"], "hosts": ["{options.url}"]]]],
      "permissions.secrets.token.host: unknown key (did you mean 'hosts'?)"
    ),
    (
      "permissions", ["secrets": ["token": ["hosts": ["*"]]]],
      "permissions.secrets.token.hosts: must name hostnames, because only the user can allow all "
        + "hostnames"
    ),
    (
      "permissions", ["secrets": ["token": ["hosts": ["{options.urls}"]]]],
      "permissions.secrets.token.hosts: {options.urls} is not an option of this file"
        + " (did you mean 'url'?)"
    ),
    (
      "items", ["first_run": "some"],
      "items.first_run: must be \"all\", \"baseline\" or \"latest:N\""
    ),
    (
      "items", ["id": "tags"],
      "items.id: tags cannot identify an item; name other fields, such as id = \"guid\""
    ),
    (
      "items", ["id": ["title", "tags"]],
      "items.id: tags cannot identify an item; name other fields, such as id = \"guid\""
    ),
    ("isolation", "none", "isolation: must be \"shared\" or \"run\""),
  ]

  @Test(arguments: broken.indices) func `a mistake is reported with what to do`(index: Int) {
    let (key, value, problem) = Self.broken[index]
    var table = Self.good.objectValue ?? ValueObject()
    table[key] = value
    switch ManifestReader.read(.object(table), file: "Daily ships.v2") {
    case .success: Issue.record("the invalid manifest was accepted")
    case .failure(let problems): #expect(problems.all.map(\.description) == [problem])
    }
  }

  @Test func `all mistakes are reported together`() {
    guard case .failure(let problems) = ManifestReader.read(["name": 1, "fecth": 2]) else {
      Issue.record("the invalid manifest was accepted")
      return
    }
    #expect(problems.all.count >= 4)
  }

  @Test(arguments: [Value.null, "text", [], [1, 2], 7])
  func `a value that is not a table is refused`(table: Value) {
    guard case .failure(let problems) = ManifestReader.read(table) else {
      Issue.record("\(table) was accepted as a manifest")
      return
    }
    #expect(problems.all.count == 1)
  }

  @Test func `a problem's line is found in the text`() {
    let source = """
      return {
        name = "x",
        options = {
          other = { type = "url" },
          url = { required = true,
            type = "ulr" },
        },
      }
      """
    #expect(ManifestLocation.line(of: ["options", "url", "type"], in: source) == 6)
    #expect(ManifestLocation.line(of: ["name"], in: source) == 2)
    #expect(ManifestLocation.line(of: ["version"], in: source) == nil)
  }
}
