import Crypto
import FetchModel
import FetchValues
import Glibc

/// The path on which the daemon of a store listens: beside the store or, if that path is too long
/// for a socket, in the user's runtime folder under a hash of the store's path.
package enum ControlSocketPath {
  /// Returns the path to listen on. Creates the folder under `/tmp` if needed; throws if it belongs
  /// to another user.
  package static func of(
    store: String, runtimeFolder: String? = runtimeFolder
  ) throws(ControlError) -> String {
    let candidates = candidates(store: store, runtimeFolder: runtimeFolder)
    guard let path = candidates.first(where: isUsable) else {
      throw ControlError(
        .unusable,
        "\(privateFolder) is not a private folder of this user: remove it, or set XDG_RUNTIME_DIR")
    }
    return path
  }

  /// Returns the paths on which a daemon of that store may listen. The daemon may have been started
  /// with other environment variables than this program.
  package static func candidates(
    store: String, runtimeFolder: String? = runtimeFolder
  ) -> [String] {
    let store = absolute(store)
    let beside = store + ".socket"
    if beside.utf8.count <= UnixSocket.pathBytesMax { return [beside] }
    let digest = SHA256.hash(data: Array(store.utf8)).prefix(12)
    let name = Hexadecimal.text(of: Array(digest)) + ".socket"
    var paths: [String] = []
    if let runtimeFolder, runtimeFolder.isAbsolutePath {
      paths.append("\(runtimeFolder)/fetchrun-\(name)")
    }
    paths.append("\(privateFolder)/\(name)")
    return paths.filter { $0.utf8.count <= UnixSocket.pathBytesMax }
  }

  /// The value of `XDG_RUNTIME_DIR`.
  package static var runtimeFolder: String? {
    getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }
  }

  private static var privateFolder: String { "/tmp/fetchrun-\(geteuid())" }

  /// Returns the absolute path of a store, the same from every folder. The file need not exist.
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

  /// Whether the folder is one into which no other user can put a socket.
  static func isPrivate(_ folder: String) -> Bool {
    var status = stat()
    return lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
  }
}
