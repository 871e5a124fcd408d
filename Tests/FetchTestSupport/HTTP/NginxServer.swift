import Glibc

/// A real nginx on loopback, for HTTP/2, TLS, its own ETags and gzip. When the initialiser returns,
/// the server accepts connections.
package final class NginxServer: Sendable {
  package let plainPort: UInt16
  package let tlsPort: UInt16
  /// The path of the authority's certificate. The authority signed the server's certificate for
  /// `localhost` and 127.0.0.1.
  package let caFile: String
  package let folder: String

  package static let isInstalled =
    access("/usr/sbin/nginx", X_OK) == 0 && access("/usr/bin/openssl", X_OK) == 0

  /// Starts a server of `files`, the contents of files by their names.
  package init(files: [String: String]) throws {
    folder = try TemporaryFolder.make("nginx")
    caFile = folder + "/ca.pem"
    try TemporaryFolder.makeFolder(folder + "/files")
    for (name, text) in files { try TemporaryFolder.write(text, to: folder + "/files/" + name) }
    let authority = try TestAuthority(in: folder, named: "ca")
    try authority.sign("server", for: "DNS:localhost,IP:127.0.0.1")
    (plainPort, tlsPort) = try Self.start(in: folder)
    ChildProcess.endAtExit(pidFile: folder + "/nginx.pid")
  }

  deinit { ChildProcess.end(pidFile: folder + "/nginx.pid") }

  /// Starts the server on two free ports, and returns the ports. Tries up to five pairs of ports,
  /// and then throws the last error.
  private static func start(in folder: String) throws -> (UInt16, UInt16) {
    let command = [
      "/usr/sbin/nginx", "-e", folder + "/error.log", "-p", folder, "-c", folder + "/nginx.conf",
    ]
    var attemptsLeft = 5
    while true {
      let ports = (try LoopbackSocket.refusingPort(), try LoopbackSocket.refusingPort())
      let text = configuration(folder, plain: ports.0, tls: ports.1)
      try TemporaryFolder.write(text, to: folder + "/nginx.conf")
      do {
        try ChildProcess.run(command)
        return ports
      } catch {
        attemptsLeft -= 1
        if attemptsLeft == 0 { throw error }
      }
    }
  }

  private static func configuration(_ folder: String, plain: UInt16, tls: UInt16) -> String {
    """
    daemon on;
    master_process off;
    pid \(folder)/nginx.pid;
    events { worker_connections 512; }
    http {
      access_log off;
      default_type application/xml;
      gzip on;
      gzip_types *;
      gzip_min_length 100;
      client_body_temp_path \(folder)/body;
      proxy_temp_path \(folder)/proxy;
      fastcgi_temp_path \(folder)/fastcgi;
      uwsgi_temp_path \(folder)/uwsgi;
      scgi_temp_path \(folder)/scgi;
      server {
        listen 127.0.0.1:\(plain);
        root \(folder)/files;
      }
      server {
        listen 127.0.0.1:\(tls) ssl http2;
        ssl_certificate \(folder)/server.pem;
        ssl_certificate_key \(folder)/server.key;
        root \(folder)/files;
        location = /protocol { return 200 "$server_protocol"; }
        location = /proxied { return 200 "$scheme $request"; }
      }
    }
    """
  }
}
