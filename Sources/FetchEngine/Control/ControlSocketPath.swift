import FetchModel
import FetchValues
import Glibc

/// The paths of the sockets on which the processes of a store listen. A socket is beside the store,
/// or beside the local data of a store on a server. If the path there is too long, the socket is in
/// the user's runtime folder. If there is no absolute runtime folder, or the path in this folder is
/// also too long, the socket is in a private folder under `/tmp`. In these two folders, the socket's
/// name contains a hash of the store's path.
package enum ControlSocketPath {
  /// The suffix of the sockets of daemons and commands. `webSuffix` is the suffix of the web
  /// process's socket.
  package static let daemonSuffix = ".socket"
  package static let webSuffix = ".web"

  /// Returns the path on which the process with the given socket suffix listens. Creates the
  /// private folder under `/tmp` if needed. Throws an error if the private folder is needed, but is
  /// not private to this user.
  package static func of(
    store: String, suffix: String = daemonSuffix, runtimeFolder: String? = runtimeFolder
  ) throws(ControlError) -> String {
    let candidates = candidates(store: store, suffix: suffix, runtimeFolder: runtimeFolder)
    guard let path = candidates.first(where: isUsable) else {
      throw ControlError(
        .unusable,
        "\(privateFolder) is not a private folder of this user: remove it, or set XDG_RUNTIME_DIR")
    }
    return path
  }

  /// Returns the paths at which a process of the store may listen. If the path beside the store is
  /// short enough for a socket, it is the only one. Otherwise there may be two paths, because the
  /// process may run without `XDG_RUNTIME_DIR`.
  package static func candidates(
    store: String, suffix: String = daemonSuffix, runtimeFolder: String? = runtimeFolder
  ) -> [String] {
    let store = absolute(store)
    let beside = store + suffix
    if beside.utf8.count <= UnixSocket.pathBytesMax { return [beside] }
    let digest = SHA256.hash(data: Array(store.utf8)).prefix(12)
    let name = Hexadecimal.text(of: Array(digest)) + suffix
    var paths: [String] = []
    if let runtimeFolder, runtimeFolder.isAbsolutePath {
      paths.append("\(runtimeFolder)/fetchrun-\(name)")
    }
    paths.append("\(privateFolder)/\(name)")
    return paths.filter { $0.utf8.count <= UnixSocket.pathBytesMax }
  }

  /// The value of `XDG_RUNTIME_DIR`; nil if it is not set.
  package static var runtimeFolder: String? {
    getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
  }

  private static var privateFolder: String { "/tmp/fetchrun-\(geteuid())" }

  /// Returns the absolute path of a store, with links resolved if its folder exists. The file need
  /// not exist.
  private static func absolute(_ path: String) -> String {
    if let real = resolved(path) { return real }
    guard let slash = path.lastSlash else {
      return (resolved(".") ?? "") + "/" + path
    }
    let folder = String(path[..<slash])
    let name = path.lastName
    guard let real = resolved(folder.isEmpty ? "/" : folder) else {
      return path.isAbsolutePath ? path : (resolved(".") ?? "") + "/" + path
    }
    return (real == "/" ? "" : real) + "/" + name
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  private static func isUsable(_ path: String) -> Bool {
    guard path.hasPrefix(privateFolder + "/") else { return true }
    mkdir(privateFolder, 0o700)
    return isPrivate(privateFolder)
  }

  /// Whether the folder belongs to this user and gives other users no access.
  static func isPrivate(_ folder: String) -> Bool {
    var status = stat()
    return lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
  }
}

/// The sockets of the processes that use a store on this machine: see `ControlSocketPath`.
extension StateFolder {
  /// Returns the path on which the daemon of the store listens.
  package func daemonSocket() throws(ControlError) -> String {
    try ControlSocketPath.of(store: socketName)
  }

  /// The paths on which a daemon of the store may listen.
  package var daemonSockets: [String] { ControlSocketPath.candidates(store: socketName) }

  /// Returns the path at which a command listens while it holds the store and waits for its
  /// transfers.
  package func transferSocket() throws(ControlError) -> String {
    try ControlSocketPath.of(store: transferSocketName)
  }

  /// The paths on which a command that holds the store may listen.
  package var transferSockets: [String] {
    ControlSocketPath.candidates(store: transferSocketName)
  }

  /// Returns the path on which the web process of the store listens.
  package func webSocket() throws(ControlError) -> String {
    try ControlSocketPath.of(store: socketName, suffix: ControlSocketPath.webSuffix)
  }

  /// The paths on which a web process of the store may listen.
  package var webSockets: [String] {
    ControlSocketPath.candidates(store: socketName, suffix: ControlSocketPath.webSuffix)
  }
}
