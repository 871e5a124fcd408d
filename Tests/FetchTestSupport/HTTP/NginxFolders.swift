import Glibc

/// A real nginx on loopback that lists a folder as pages (`html/`) and as JSON (`json/`). With the
/// module dav-ext, nginx also lists the folder as WebDAV collections (`dav/`).
package final class NginxFolders: Sendable {
  package let port: UInt16
  package let folder: String

  package static let isInstalled = access("/usr/sbin/nginx", X_OK) == 0
  /// Whether nginx and the module dav-ext are installed. Listings over WebDAV need this module,
  /// because nginx's own module has no PROPFIND.
  package static let hasDAV = isInstalled && access(davModule, R_OK) == 0

  private static let davModule = "/usr/lib/nginx/modules/ngx_http_dav_ext_module.so"

  /// Starts a server that lists the files in the folder `files` of its own folder.
  package init() throws {
    folder = try TemporaryFolder.make("nginx")
    try TemporaryFolder.makeFolder(folder + "/files")
    // A server that root starts runs as root, because it has no worker process.
    let folder = folder
    port = try LoopbackSocket.start { port in
      try TemporaryFolder.write(Self.configuration(folder, port), to: folder + "/nginx.conf")
      try ChildProcess.run([
        "/usr/sbin/nginx", "-e", folder + "/error.log", "-p", folder, "-c", folder + "/nginx.conf",
      ])
    }
    ChildProcess.endAtExit(pidFile: folder + "/nginx.pid")
  }

  deinit { ChildProcess.end(pidFile: folder + "/nginx.pid") }

  private static func configuration(_ folder: String, _ port: UInt16) -> String {
    """
    \(hasDAV ? "load_module \(davModule);" : "")
    daemon on;
    master_process off;
    pid \(folder)/nginx.pid;
    events { worker_connections 512; }
    http {
      access_log off;
      client_body_temp_path \(folder)/body;
      proxy_temp_path \(folder)/proxy;
      fastcgi_temp_path \(folder)/fastcgi;
      uwsgi_temp_path \(folder)/uwsgi;
      scgi_temp_path \(folder)/scgi;
      server {
        listen 127.0.0.1:\(port);
        location /html/ { alias \(folder)/files/; autoindex on; }
        location /json/ { alias \(folder)/files/; autoindex on; autoindex_format json; }
        \(hasDAV ? "location /dav/ { alias \(folder)/files/; dav_ext_methods PROPFIND OPTIONS; }" : "")
      }
    }
    """
  }
}
