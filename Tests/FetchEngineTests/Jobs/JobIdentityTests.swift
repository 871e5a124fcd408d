import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Testing

struct JobIdentityTests {
  private static func identity(
    _ options: [(String, Value)], required: [String] = [], urls: [String] = ["url"]
  ) -> JobIdentity {
    var manifest = Manifest(name: "rss", version: "1")
    manifest.options = options.map { name, _ in
      var spec = OptionSpec(name: name)
      spec.isRequired = required.contains(name)
      spec.kind = urls.contains(name) ? .url : .string
      return spec
    }
    return JobIdentity(manifest, given: ValueObject(options))
  }

  @Test func `the key is the name that earlier versions gave the job`() {
    let identity = Self.identity([("url", "https://www.swift.org/atom.xml"), ("page", "2")])
    #expect(identity.key == "rss-62c744b47f")
    #expect(identity.readable == "rss-swift.org")
    #expect(identity.qualified == "rss-swift.org-62c744b47f")
    #expect(Self.identity([("page", "2")]).key == "rss")
    #expect(Self.identity([("page", "2")]).readable == "rss")
  }

  @Test(arguments: [
    ("https://WWW.Example.ORG:8080/a?b", "rss-example.org"),
    ("file:///srv/feeds/Top%20News.atom.xml", "rss-top-20news.atom"),
    ("http://[::1]/", "rss-1"), ("https://xn--mnchen-3ya.de/", "rss-xn-mnchen-3ya.de"),
    ("file:///", "rss-file"),
  ])
  func `a URL gives its hostname or the name of its file`(url: String, readable: String) {
    #expect(Self.identity([("url", .string(url))]).readable.text == readable)
  }

  @Test(arguments: [
    ("swiftlang/swift", "rss-swiftlang-swift"), ("/srv/photos", "rss-photos"),
    ("a\u{1B}[2Jb", "rss-a-2jb"), ("../..", nil), ("日本", nil),
    (String(repeating: "a", count: 500), "rss-" + String(repeating: "a", count: 40)),
  ])
  func `without a URL, a required text option gives the name`(text: String, readable: String?) {
    let identity = Self.identity([("repository", .string(text))], required: ["repository"])
    #expect(identity.readable.text == readable ?? identity.key)
    #expect(identity.key != "rss")
  }

  @Test func `only automatic names count as a job's own`() {
    let identity = Self.identity([("url", "https://swift.org/")])
    #expect(identity.gives("rss-swift.org") && identity.gives(JobName(identity.key)))
    #expect(identity.gives(identity.qualified))
    #expect(!identity.gives("rss") && !identity.gives("swift"))
  }
}
