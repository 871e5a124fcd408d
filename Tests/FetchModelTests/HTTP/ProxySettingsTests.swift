import FetchModel
import FetchValues
import Testing

@Suite struct ProxySettingsTests {
  private func proxy(_ environment: [String: String], _ url: String) throws -> String? {
    try ProxySettings(environment: environment).proxy(for: try TargetURL(url))?.text
  }

  @Test(
    arguments: [
      (["http_proxy": "http://p:3128"], "http://a.example/", "http://p:3128"),
      (["http_proxy": "p:3128"], "http://a.example/", "http://p:3128"),
      (["http_proxy": "p"], "http://a.example/", "http://p:1080"),
      (["http_proxy": "https://p"], "http://a.example/", "https://p:443"),
      (["http_proxy": "http://p:443/"], "http://a.example/", "http://p:443"),
      (["http_proxy": "p:3128"], "https://a.example/", nil),
      (["HTTP_PROXY": "p:3128"], "http://a.example/", nil),
      (["HTTPS_PROXY": "p:3128"], "https://a.example/", "http://p:3128"),
      (["https_proxy": "q:1", "HTTPS_PROXY": "p:1"], "https://a.example/", "http://q:1"),
      (["https_proxy": "", "HTTPS_PROXY": "p:1"], "https://a.example/", "http://p:1"),
      (["ALL_PROXY": "socks5h://[::1]:9050"], "http://a.example/", "socks5h://[::1]:9050"),
      (["all_proxy": "socks5://s", "http_proxy": "p:1"], "http://a.example/", "http://p:1"),
      (["all_proxy": "p:1"], "file:///etc/hosts", nil),
      ([:], "http://a.example/", nil),
    ] as [([String: String], String, String?)])
  func `the environment is read in the same way as by curl`(
    environment: [String: String], url: String, wanted: String?
  ) throws {
    #expect(try proxy(environment, url) == wanted)
  }

  @Test(arguments: [
    ("a.example", "http://a.example/", true), ("a.example", "http://b.a.example/", true),
    (".a.example", "http://a.example/", true), ("a.example", "http://ba.example/", false),
    ("x, A.EXAMPLE y", "http://a.example/", true), ("*", "http://a.example/", true),
    ("*.example", "http://a.example/", false), ("127.0.0.1", "http://127.0.0.1/", true),
    ("127.0.0.0/8", "http://127.9.9.9/", true), ("127.0.0.0/33", "http://127.0.0.1/", false),
    ("10.0.0.0/9", "http://10.200.0.1/", false), ("[::1]", "http://[::1]/", true),
    ("::/0", "http://[2001:db8::1]/", true), ("0.0.0.1", "http://127.0.0.1/", false),
    ("", "http://a.example/", false),
  ]) func `no_proxy lists the hostnames that are reached directly`(
    list: String, url: String, isDirect: Bool
  ) throws {
    for name in ["no_proxy", "NO_PROXY"] {
      #expect((try proxy(["all_proxy": "p:1", name: list], url) == nil) == isDirect)
    }
  }

  @Test func `user and password are separated from the address, and never shown`() throws {
    let proxy = try #require(HTTPProxy("http://user:p%40ss:w@proxy.example:8080"))
    #expect(proxy.user == "user")
    #expect(proxy.password == "p@ss:w")
    #expect(proxy.text == "http://proxy.example:8080")
  }

  @Test(arguments: [
    "ftp://p:1", "http://", "http://p:x", "p:1/path", "http://u:%0a@p", "http://p q",
  ])
  func `an invalid proxy is refused`(text: String) {
    let failure = #expect(throws: Failure.self) {
      try ProxySettings(environment: ["https_proxy": text])
    }
    #expect(
      failure?.message == "the proxy in the environment variable https_proxy is invalid; write "
        + "http://host:port, https://host:port or socks5h://host:port")
  }
}
