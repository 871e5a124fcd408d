import FetchTestSupport
import Foundation
import Testing

/// Tests of the page behind the reverse proxy of `examples/proxy/nginx.conf`. The proxy is a real
/// nginx with TLS.
@Suite(.enabled(if: NginxServer.isInstalled), .timeLimit(.minutes(5))) struct ProxyTests {
  @Test func `a browser logs in through nginx, with the host and the cookie of the proxy`() throws {
    let program = try Program()
    defer { program.remove() }
    let folder = program.folder.path
    try TestAuthority(in: folder, named: "ca").sign("server", for: "DNS:fetch.example.org")
    var web: Watched?
    let port = try LoopbackSocket.start { port in
      let config = try program.write(
        "fetchrun.yaml",
        """
        store: s.sqlite
        web: { listen: ["127.0.0.1:\(port)"], url: https://fetch.example.org }
        """)
      let started = try Watched(program, ["web", "--config", config])
      guard started.wait(forMessage: "listening at http://127.0.0.1:\(port)") else {
        throw WebDriver.Failed(description: "fetchrun-web does not listen at \(port)")
      }
      web = started
    }
    let server = try #require(web)
    defer {
      server.signal(SIGTERM)
      _ = server.end()
    }
    #expect(server.wait(for: .output) { !$0.isEmpty })
    let login = try #require(server.output.first)
    #expect(login.hasPrefix("https://fetch.example.org/login?code="))
    let secure = try LoopbackSocket.start { secure in
      try Self.start(in: folder, before: port, secure: secure)
    }
    defer { ChildProcess.end(pidFile: folder + "/nginx.pid") }
    let path = String(login.dropFirst("https://fetch.example.org".count))
    let seen = try program.start(
      command: ["/usr/bin/python3", "-c", Self.client, "\(secure)", folder + "/ca.pem", path]
    ).wait()
    #expect(
      seen.lines == [
        "303 / __Host-fetchrun Secure", "200 No daemon is running", "421",
      ], "\(seen)")
  }

  /// Starts nginx with the example, on loopback and with certificates of the test.
  private static func start(in folder: String, before port: UInt16, secure: UInt16) throws {
    let example = try String(
      contentsOf: Program.top.appending(path: "examples/proxy/nginx.conf"), encoding: .utf8)
    let changes = [
      ("events {}", "pid \(folder)/nginx.pid; daemon on; master_process off; events {}"),
      ("http {", "http { access_log off; client_body_temp_path \(folder)/body;"),
      ("listen 80;", "listen 127.0.0.1:\(try LoopbackSocket.refusingPort());"),
      ("listen 443 ssl http2;", "listen 127.0.0.1:\(secure) ssl http2;"),
      ("/etc/letsencrypt/live/fetch.example.org/fullchain.pem", "\(folder)/server.pem"),
      ("/etc/letsencrypt/live/fetch.example.org/privkey.pem", "\(folder)/server.key"),
      ("127.0.0.1:7397", "127.0.0.1:\(port)"),
    ]
    var text = example
    for (old, new) in changes {
      #expect(text.contains(old), "the example has no '\(old)'")
      text = text.replacing(old, with: new)
    }
    try text.write(toFile: folder + "/nginx.conf", atomically: true, encoding: .utf8)
    try ChildProcess.run([
      "/usr/sbin/nginx", "-e", folder + "/error.log", "-p", folder, "-c", folder + "/nginx.conf",
    ])
    ChildProcess.endAtExit(pidFile: folder + "/nginx.pid")
  }

  /// A client in Python that logs in, opens the page with the cookie, and requests another host.
  private static let client = """
    import http.client, ssl, sys, re
    port, authority, path = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    context = ssl.create_default_context(cafile=authority)
    context.check_hostname = False
    def get(path, host, cookie=None):
        connection = http.client.HTTPSConnection("127.0.0.1", port, context=context)
        connection.request("GET", path, headers={"Host": host, **({"Cookie": cookie} if cookie else {})})
        answer = connection.getresponse()
        return answer, answer.read().decode()
    answer, _ = get(path, "fetch.example.org")
    cookie = answer.getheader("Set-Cookie")
    name, secure = cookie.split("=")[0], "Secure" if "; Secure" in cookie else "insecure"
    print(answer.status, answer.getheader("Location"), name, secure)
    answer, page = get("/", "fetch.example.org", cookie.split(";")[0])
    print(answer.status, re.search("<h1[^>]*>([^<]*)", page).group(1))
    answer, _ = get("/", "evil.example")
    print(answer.status)
    """
}
