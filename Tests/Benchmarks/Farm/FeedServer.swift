import Foundation

/// nginx over a farm, on a loopback port that the system picked. It ends when this process ends, however
/// that happens: a small shell holds the read end of a pipe of ours and stops nginx at its end.
final class FeedServer {
  let port: Int
  private let guardian: ChildProcess
  private let lifeline: Int32

  /// `scratch` is removed when the server ends, too.
  init(serving folder: URL, scratch: URL) throws {
    port = try Loopback.freePort()
    let settings = scratch.appending(path: "nginx.conf")
    try Self.configuration(port: port, folder: folder, scratch: scratch)
      .write(to: settings, atomically: false, encoding: .utf8)
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0, fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0,
      fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0
    else { throw BenchmarkError("no pipe") }
    lifeline = ends[1]
    let script = """
      trap '' INT TERM HUP
      nginx -p "$1" -c "$2" -e "$1/nginx.log" & nginx=$!
      read -r _
      kill $nginx; wait $nginx; rm -rf "$1"
      """
    guardian = try ChildProcess(
      "sh", ["-c", script, "sh", scratch.path, settings.path], input: ends[0])
    close(ends[0])
    try Loopback.awaitListener(port: port)
  }

  func url(of feed: FarmFeed) -> String { "http://\(feed.hostname):\(port)/\(feed.path)" }

  func stop() {
    close(lifeline)
    _ = try? guardian.wait()
  }

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
          gzip_static on;
        }
      }
      """
  }
}
