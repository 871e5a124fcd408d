import Glibc

/// A real Apache httpd on loopback, for its entity tags and its Content-Encoding of compressed
/// files. When the initialiser returns, the server accepts connections.
package final class ApacheServer: Sendable {
  /// The form of mod_autoindex's folder listings: names alone, text with details, or a table.
  package enum Listing: String, Sendable, CaseIterable {
    case plain = "-FancyIndexing"
    case fancy = "FancyIndexing"
    case table = "FancyIndexing HTMLTable"
  }

  package let port: UInt16
  package let folder: String

  package static let isInstalled =
    access("/usr/sbin/apache2", X_OK) == 0 && access(modules + "/mod_mpm_event.so", R_OK) == 0

  private static let modules = "/usr/lib/apache2/modules"

  /// Starts a server of the files in the folder `files` of its own folder, optionally over WebDAV
  /// or with listings.
  package init(hasDAV: Bool = false, listing: Listing? = nil) throws {
    folder = try TemporaryFolder.make("apache")
    try TemporaryFolder.makeFolder(folder + "/files")
    // If root starts the server, the server runs as the user nobody, which must be able to enter
    // the folders.
    for path in [folder, folder + "/files"] { chmod(path, 0o755) }
    let folder = folder
    port = try LoopbackSocket.start { port in
      let text =
        Self.configuration(folder, port) + (hasDAV ? Self.collections(folder) : "")
        + (listing.map { Self.listings(folder, $0) } ?? "")
      try TemporaryFolder.write(text, to: folder + "/apache.conf")
      try ChildProcess.run(
        ["/usr/sbin/apache2", "-d", folder, "-f", folder + "/apache.conf", "-k", "start"])
    }
    ChildProcess.endAtExit(pidFile: folder + "/apache.pid")
  }

  deinit { ChildProcess.end(pidFile: folder + "/apache.pid") }

  private static func configuration(_ folder: String, _ port: UInt16) -> String {
    """
    ServerName localhost
    User #65534
    Group #65534
    Listen 127.0.0.1:\(port)
    PidFile \(folder)/apache.pid
    ErrorLog \(folder)/error.log
    Mutex sem
    ScoreBoardFile \(folder)/scoreboard
    LoadModule mpm_event_module \(modules)/mod_mpm_event.so
    LoadModule authz_core_module \(modules)/mod_authz_core.so
    LoadModule mime_module \(modules)/mod_mime.so
    StartServers 1
    ServerLimit 1
    MinSpareThreads 1
    ThreadsPerChild 16
    MaxRequestWorkers 16
    TypesConfig /dev/null
    AddEncoding x-gzip .gz
    DocumentRoot \(folder)/files
    """
  }

  private static func collections(_ folder: String) -> String {
    """

    LoadModule dav_module \(modules)/mod_dav.so
    LoadModule dav_fs_module \(modules)/mod_dav_fs.so
    DavLockDB \(folder)/locks
    <Directory \(folder)/files>
      Dav On
    </Directory>
    """
  }

  private static func listings(_ folder: String, _ listing: Listing) -> String {
    """

    LoadModule autoindex_module \(modules)/mod_autoindex.so
    <Directory \(folder)/files>
      Options +Indexes
      IndexOptions \(listing.rawValue)
    </Directory>
    """
  }
}
