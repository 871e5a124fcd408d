import Foundation

/// An nginx that serves a farm on a loopback port that the system chose. The server ends with this
/// process.
final class FeedServer {
  let port: Int
  private let server: GuardedServer
  private var asked = 0

  /// Starts a server of `folder`. The folder `scratch` is removed when the server ends.
  init(serving folder: URL, scratch: URL) throws {
    port = try Loopback.freePort()
    let settings = scratch.appending(path: "nginx.conf")
    try Self.configuration(port: port, folder: folder, scratch: scratch)
      .write(to: settings, atomically: false, encoding: .utf8)
    server = try GuardedServer(
      "nginx -p \"$1\" -c \"$2\" -e \"$1/nginx.log\"", [scratch.path, settings.path],
      folder: scratch, port: port)
  }

  func url(of feed: FarmFeed, hosts: FarmFeed.Hosts = .own) -> String {
    "http://\(feed.hostname(hosts)):\(port)/\(feed.path)"
  }

  /// Returns the number of connections that the server has accepted. The connections of this
  /// function are not counted.
  func connectionCount(scratch: URL) throws -> Int {
    let file = scratch.appending(path: "accepted")
    try ChildProcess("curl", ["-q", "-s", "-f", "http://127.0.0.1:\(port)/accepted"], output: file)
      .wait().check("curl")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    guard lines.count > 2, let count = lines[2].split(separator: " ").first.flatMap({ Int($0) })
    else { throw BenchmarkError("nginx does not show its connections") }
    asked += 1
    return count - asked
  }

  func stop() { server.stop() }

  private static func configuration(port: Int, folder: URL, scratch: URL) -> String {
    let version6 = Loopback.hasVersion6 ? "listen [::1]:\(port) backlog=4096;" : ""
    return """
      daemon off;
      worker_processes 1;
      worker_rlimit_nofile 16384;
      pid \(scratch.path)/nginx.pid;
      error_log \(scratch.path)/nginx.log;
      events { worker_connections 8192; }
      http {
        access_log off;
        sendfile on;
        tcp_nopush on;
        keepalive_timeout 60s;
        keepalive_requests 1000000;
        types { application/xml xml; }
        default_type application/xml;
        client_body_temp_path \(scratch.path)/nginx-body;
        proxy_temp_path \(scratch.path)/nginx-proxy;
        fastcgi_temp_path \(scratch.path)/nginx-fastcgi;
        uwsgi_temp_path \(scratch.path)/nginx-uwsgi;
        scgi_temp_path \(scratch.path)/nginx-scgi;
        server {
          listen 127.0.0.1:\(port) backlog=4096;
          \(version6)
          root \(folder.path);
          etag on;
          if_modified_since before;
          location = /accepted { stub_status; }
          gzip_static on;
        }
      }
      """
  }
}
