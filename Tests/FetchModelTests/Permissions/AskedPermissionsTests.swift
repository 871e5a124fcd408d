import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite struct AskedPermissionsTests {
  private func manifest(
    http: [String] = [], read: [String] = [], secrets: [(String, [String])] = [],
    defaults: [(String, Value)] = []
  ) -> Manifest {
    var manifest = Manifest(name: "p", version: "1")
    manifest.permissions.http = http
    manifest.permissions.read = read
    manifest.permissions.secrets = secrets.map { name, hosts in
      var request = SecretRequest(name: name)
      request.hosts = hosts
      return request
    }
    manifest.options = defaults.map { name, value in
      var option = OptionSpec(name: name)
      option.defaultValue = value
      return option
    }
    return manifest
  }

  private func asked(_ manifest: Manifest, given: [String] = []) -> [AskedPermission] {
    AskedPermissions(manifest, keepsFiles: false, given: given).all
  }

  @Test func `each kind of permission is listed once`() {
    let manifest = manifest(
      http: ["API.example.org.", "api.example.org", "*.cdn.example", "{options.url}"],
      read: ["/srv/in"], secrets: [("token", ["api.example.org", "{options.url}"])])
    #expect(
      AskedPermissions(manifest, keepsFiles: true).all == [
        .reach("api.example.org"), .reach("*.cdn.example"), .reach("{options.url}"),
        .read("/srv/in"), .send(secret: "token", to: "api.example.org"),
        .send(secret: "token", to: "{options.url}"), .keepFiles,
      ])
  }

  @Test func `a default counts as the file's request, unless the user has set the option`() {
    let manifest = manifest(
      http: ["{options.url}", "{options.more}"], read: ["{options.path}"],
      secrets: [("token", ["{options.url}"])],
      defaults: [
        ("url", "https://feeds.example/a"), ("more", ["https://a.example/", "https://b.example/"]),
        ("path", "file:///srv/a%20b"),
      ])
    #expect(
      asked(manifest) == [
        .reach("{options.url}"), .reach("feeds.example"), .reach("{options.more}"),
        .reach("a.example"), .reach("b.example"), .read("{options.path}"), .read("/srv/a b"),
        .send(secret: "token", to: "{options.url}"), .send(secret: "token", to: "feeds.example"),
      ])
    #expect(
      asked(manifest, given: ["url", "path"]) == [
        .reach("{options.url}"), .reach("{options.more}"), .reach("a.example"),
        .reach("b.example"), .read("{options.path}"),
        .send(secret: "token", to: "{options.url}"),
      ])
  }

  @Test
  func
    `the port of a default is requested by the file, and that of an option is granted by the user`()
  {
    let manifest = manifest(
      http: ["{options.url}", "HTTPS://A.example", "b.example:8080"],
      defaults: [("url", "http://nas.lan:9091/rpc")])
    #expect(
      asked(manifest) == [
        .reach("{options.url}"), .reach("nas.lan"), .reach("nas.lan:9091"),
        .reach("https://a.example"), .reach("b.example:8080"),
      ])
    #expect(
      asked(manifest, given: ["url"]) == [
        .reach("{options.url}"), .reach("https://a.example"), .reach("b.example:8080"),
      ])
  }

  static let covered: [(own: AskedPermission, other: AskedPermission, isCovered: Bool)] = [
    (.reach("*"), .reach("*"), true), (.reach("*"), .reach("*.example.org"), true),
    (.reach("*"), .reach("{options.url}"), true), (.reach("a.example"), .reach("*"), false),
    (.reach("*.example.org"), .reach("a.example.org"), true),
    (.reach("*.example.org"), .reach("*.a.example.org"), true),
    (.reach("*.a.example.org"), .reach("*.example.org"), false),
    (.reach("*.example.org"), .reach("example.org"), false),
    (.reach("example.org"), .reach("*.example.org"), false),
    (.reach("*.example.org"), .reach("evilexample.org"), false),
    (.reach("*.example.org"), .reach("{options.url}"), false),
    (.reach("{options.url}"), .reach("{options.url}"), true),
    (.reach("{options.url}"), .reach("{options.other}"), false),
    (.reach("{options.url}"), .reach("example.org"), false),
    (.reach("::1"), .reach("::1"), true), (.reach("a.b"), .reach("https://a.b"), true),
    (.reach("a.b"), .reach("a.b:8080"), false), (.reach("*"), .reach("a.b:8080"), false),
    (.reach("*:*"), .reach("{options.url}"), true), (.reach("*:*"), .reach("a.b:8080"), true),
    (.send(secret: "a", to: "x.example"), .send(secret: "a", to: "x.example:1"), false),
    (.read("/srv/data"), .read("/srv/data"), true),
    (.read("/srv/data"), .read("/srv/data/"), true),
    (.read("/srv/data/"), .read("/srv/data/a/b"), true),
    (.read("/srv/data"), .read("/srv/data2"), false),
    (.read("/srv/data"), .read("/srv/dat"), false),
    (.read("/srv/data"), .read("/srv"), false),
    (.read("/srv/data"), .read("/srv/data/../secret"), false),
    (.read("/srv/data"), .read("/srv/./data/a"), true),
    (.read("/srv/data"), .read("srv/data"), false), (.read("/"), .read("/etc"), true),
    (.read("{options.path}"), .read("/etc"), false),
    (.send(secret: "a", to: "*.x.example"), .send(secret: "a", to: "y.x.example"), true),
    (.send(secret: "a", to: "x.example"), .send(secret: "b", to: "x.example"), false),
    (.send(secret: "a", to: "x.example"), .send(secret: "a", to: "y.example"), false),
    (.send(secret: "a", to: "x.example"), .reach("x.example"), false),
    (.reach("*"), .send(secret: "a", to: "x.example"), false),
    (.keepFiles, .keepFiles, true), (.keepFiles, .read("/"), false),
    (.read("/"), .keepFiles, false),
  ]

  @Test(arguments: covered.indices) func `a wider permission covers a narrower one`(index: Int) {
    let (own, other, isCovered) = Self.covered[index]
    #expect(AskedPermissions([own]).covers(other) == isCovered)
    #expect(AskedPermissions([other]).beyond(AskedPermissions([own])) == (isCovered ? [] : [other]))
  }

  @Test(arguments: [
    (AskedPermission.reach("a.example"), "reach a.example"), (.reach("*"), "reach every hostname"),
    (.reach("{options.url}"), "reach the hostname in its option url"), (.read("/srv"), "read /srv"),
    (.read("{options.path}"), "read the path in its option path"),
    (.send(secret: "token", to: "a.example"), "send the secret token to a.example"),
    (.keepFiles, "keep files in the job's folder"),
  ]) func `each permission has a phrase, and is read back from its JSON`(
    permission: AskedPermission, phrase: String
  ) {
    #expect(permission.phrase == phrase)
    #expect(AskedPermission(permission.value) == permission)
  }

  @Test(arguments: [
    Value.null, "reach", [["reach": 1]], [["reach": "a"], ["fly": "b"]], ["reach": "a"],
    [["secret": "token"]], [["keep": "bees"]],
  ]) func `a stored list with unknown permissions is rejected`(value: Value) {
    #expect(AskedPermissions(value) == nil)
  }
}
