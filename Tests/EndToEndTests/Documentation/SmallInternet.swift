import FetchTestSupport
import Foundation

/// A network with only a real nginx, which acts as the servers in the documentation's examples.
/// Programs in the network reach these servers by name, at a public address, also over TLS.
final class SmallInternet: Sendable {
  /// The answers by hostname and path.
  static let answers: [String: [String: String]] = [
    "www.swift.org": ["atom.xml": feed("Swift.org", at: "https://www.swift.org")],
    "example.org": [
      "feed.xml": feed("Example", at: "https://example.org"),
      "news.xml": feed("News", at: "https://example.org"),
      "list.json": #"[{"id": 1, "title": "One"}, {"id": 2, "title": "Two"}]"#,
      "prices.json": #"{"prices": [{"id": "a", "title": "A", "price": 3}]}"#,
      "shop": "<html><title>Shop</title><body><p id=\"price\">3.20</p></body></html>",
      "photos/one.jpg": "one", "photos/two.jpg": "two",
      "index.html": "<html><head><title>Example</title></head><body><p>Hello</p></body></html>",
    ],
    "www.kernel.org": [
      "releases.json": """
      {"releases": [
        {"version": "6.17.8", "source": "https://cdn.kernel.org/linux-6.17.8.tar.xz",
         "released": {"timestamp": 1763164800, "isodate": "2025-11-15"}},
        {"version": "6.12.58", "source": "https://cdn.kernel.org/linux-6.12.58.tar.xz",
         "released": {"timestamp": 1763078400, "isodate": "2025-11-14"}}
      ]}
      """
    ],
    "api.github.com": [
      "repos/apple/swift-collections/releases": releases,
      "repos/swiftlang/swift/releases": releases,
    ],
    "cloud.example.org": ["remote.php/dav/files/me/notes.txt": "notes"],
    "bridge.example.org": ["reuters.atom": feed("Bridge", at: "https://bridge.example.org")],
    "www.debian.org": [
      "News/index.html": "<html><div id='content'>News</div></html>"
    ],
  ]

  private static let releases = """
    [{"id": 2, "name": "1.3.0", "tag_name": "1.3.0", "published_at": "2025-10-01T09:00:00Z",
      "html_url": "https://github.com/apple/swift-collections/releases/tag/1.3.0"},
     {"id": 1, "name": "1.2.1", "tag_name": "1.2.1", "published_at": "2025-07-01T09:00:00Z",
      "html_url": "https://github.com/apple/swift-collections/releases/tag/1.2.1"}]
    """

  private static func feed(_ title: String, at place: String) -> String {
    let entries = (1...3).map { number in
      """
      <entry><id>\(place)/\(number)</id><title>Entry \(number)</title>\
      <link href="\(place)/\(number)"/><updated>2025-11-0\(number)T12:00:00Z</updated></entry>
      """
    }
    return """
      <?xml version="1.0" encoding="utf-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom"><title>\(title)</title><id>\(place)/</id>\
      <updated>2025-11-03T12:00:00Z</updated>\(entries.joined())</feed>
      """
  }

  private static let address = "93.184.215.14"
  private let folder: String

  init() throws {
    folder = try TemporaryFolder.make("internet")
    let names = Self.answers.keys.sorted()
    for name in names {
      for (path, text) in Self.answers[name] ?? [:] {
        let file = URL(filePath: "\(folder)/\(name)/\(path)")
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }
    }
    let authority = try TestAuthority(in: folder, named: "ca")
    try authority.sign("server", for: names.map { "DNS:\($0)" }.joined(separator: ","))
    let hosts = "127.0.0.1 localhost\n\(Self.address) \(names.joined(separator: " "))\n"
    try TemporaryFolder.write(hosts, to: folder + "/hosts")
    try TemporaryFolder.write(configuration, to: folder + "/nginx.conf")
    let script = """
      ip link set lo up && ip addr add \(Self.address)/32 dev lo \
      && mount --bind '\(folder)/hosts' /etc/hosts \
      && mount --bind '\(authority.caFile)' /etc/ssl/certs/ca-certificates.crt \
      && /usr/sbin/nginx -e '\(folder)/error.log' -p '\(folder)' -c '\(folder)/nginx.conf' \
      && { n=0; until [ -s '\(folder)/nginx.pid' ]; do n=$((n + 1)); [ $n -lt 600 ] || exit 1; \
      sleep 0.1; done; }
      """
    try ChildProcess.run(["/usr/bin/unshare", "--net", "--mount", "/bin/sh", "-c", script])
    ChildProcess.endAtExit(pidFile: folder + "/nginx.pid")
  }

  deinit {
    ChildProcess.end(pidFile: folder + "/nginx.pid")
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Returns the launcher of a program in this network: the words before the program's own command
  /// line.
  func launcher() throws -> [String] {
    let text = try TemporaryFolder.read(folder + "/nginx.pid")
    let process = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return ["/usr/bin/nsenter", "--target", process, "--net", "--mount"]
  }

  /// The configuration of nginx. POST requests, such as webhooks, are answered with 204.
  private var configuration: String {
    """
    daemon on;
    master_process off;
    pid \(folder)/nginx.pid;
    events { worker_connections 64; }
    http {
      access_log off;
      types { application/atom+xml xml; application/json json; text/html html; }
      default_type application/json;
      client_body_temp_path \(folder)/body;
      proxy_temp_path \(folder)/proxy;
      fastcgi_temp_path \(folder)/fastcgi;
      uwsgi_temp_path \(folder)/uwsgi;
      scgi_temp_path \(folder)/scgi;
      server {
        listen \(Self.address):80;
        listen \(Self.address):443 ssl http2;
        ssl_certificate \(folder)/server.pem;
        ssl_certificate_key \(folder)/server.key;
        root \(folder)/$host;
        autoindex on;
        if ($request_method = POST) { return 204; }
      }
    }
    """
  }
}
