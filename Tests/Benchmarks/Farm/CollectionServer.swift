import Foundation

/// A server of a folder, on a loopback port that the system chooses: Apache and rclone serve WebDAV
/// collections, and nginx pages that list the files of a folder.
final class CollectionServer {
  enum Kind: String, CaseIterable {
    case apache = "Apache"
    case rclone = "rclone serve"
    case nginx = "nginx"

    var isInstalled: Bool {
      switch self {
      case .apache: access("/usr/lib/apache2/modules/mod_dav_fs.so", R_OK) == 0
      case .rclone: access("/usr/bin/rclone", X_OK) == 0
      case .nginx: access("/usr/sbin/nginx", X_OK) == 0
      }
    }

    /// The option `kind` of `file-sync` for this server.
    var sourceKind: String { self == .nginx ? "index" : "webdav" }

    /// The source at `url` in the words of `rclone sync`.
    func rcloneSource(_ url: String) -> String {
      self == .nginx ? ":http,url='\(url)':" : ":webdav,url='\(url)',vendor=other:"
    }
  }

  let url: String
  private let server: GuardedServer

  /// Starts a server of `folder`. `scratch` is the server's own folder, which is removed when the
  /// server is stopped.
  init(_ kind: Kind, serving folder: URL, scratch: URL) throws {
    let port = try Loopback.freePort()
    url = "http://127.0.0.1:\(port)/"
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    // If root starts Apache or nginx, the server runs as the user nobody, which must be able to enter
    // the folders.
    for path in [folder.path, scratch.path] { chmod(path, 0o755) }
    let settings = scratch.appending(path: "server.conf")
    let (command, arguments): (String, [String])
    switch kind {
    case .apache:
      try Self.configuration(port: port, folder: folder, scratch: scratch)
        .write(to: settings, atomically: false, encoding: .utf8)
      command = "apache2 -d \"$1\" -f \"$2\" -DFOREGROUND"
      arguments = [scratch.path, settings.path]
    case .rclone:
      command = "rclone serve webdav \"$1\" --addr 127.0.0.1:$2 --config /dev/null 2>/dev/null"
      arguments = [folder.path, String(port)]
    case .nginx:
      try Self.nginxConfiguration(port: port, folder: folder, scratch: scratch)
        .write(to: settings, atomically: false, encoding: .utf8)
      command = "nginx -p \"$1\" -c \"$2\" -e \"$1/error.log\""
      arguments = [scratch.path, settings.path]
    }
    server = try GuardedServer(command, arguments, folder: scratch, port: port)
  }

  func stop() { server.stop() }

  private static func nginxConfiguration(port: Int, folder: URL, scratch: URL) -> String {
    """
    daemon off;
    pid \(scratch.path)/nginx.pid;
    events {}
    http {
      access_log off;
      keepalive_requests 1000000;
      client_body_temp_path \(scratch.path)/body;
      proxy_temp_path \(scratch.path)/proxy;
      fastcgi_temp_path \(scratch.path)/fastcgi;
      uwsgi_temp_path \(scratch.path)/uwsgi;
      scgi_temp_path \(scratch.path)/scgi;
      server {
        listen 127.0.0.1:\(port);
        root \(folder.path);
        autoindex on;
      }
    }
    """
  }

  private static func configuration(port: Int, folder: URL, scratch: URL) -> String {
    let modules = "/usr/lib/apache2/modules"
    return """
      ServerName localhost
      User #65534
      Group #65534
      Listen 127.0.0.1:\(port)
      PidFile \(scratch.path)/apache.pid
      ErrorLog \(scratch.path)/error.log
      Mutex sem
      ScoreBoardFile \(scratch.path)/scoreboard
      LoadModule mpm_event_module \(modules)/mod_mpm_event.so
      LoadModule authz_core_module \(modules)/mod_authz_core.so
      LoadModule dav_module \(modules)/mod_dav.so
      LoadModule dav_fs_module \(modules)/mod_dav_fs.so
      KeepAlive On
      MaxKeepAliveRequests 0
      DavLockDB \(scratch.path)/locks
      DocumentRoot \(folder.path)
      <Directory \(folder.path)>
        Dav On
      </Directory>
      """
  }
}
