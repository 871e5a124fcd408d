import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchValues
import Glibc

/// The environment variables and folders of the process.
enum ProcessEnvironment {
  static let environment: [String: String] = {
    var count = 0
    while environ[count] != nil { count += 1 }
    var variables = [String: String](minimumCapacity: count)
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let cut = text.firstIndex(of: "=") {
        variables[String(text[..<cut])] = String(text[text.index(after: cut)...])
      }
      next += 1
    }
    return variables
  }()

  static let locations = Locations(
    environment: environment, executable: executable,
    home: environment["HOME"]?.isEmpty == false ? nil : userFolder, isRoot: geteuid() == 0)

  /// Returns the absolute form of a path, or the path itself if the working folder is unknown.
  /// Symbolic links are not resolved, because relative paths in a config are relative to the folder
  /// of the path that the user typed.
  static func absolute(_ path: String) -> String {
    if path.isAbsolutePath { return path }
    guard let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    return String(cString: here) + "/" + path
  }

  /// Returns the path or address of a store in a form that does not depend on the working folder.
  static func absoluteStore(_ store: String) -> String {
    store.isDatabaseAddress ? store : absolute(store)
  }

  /// Returns the address of a config's store, or of the default store.
  static func address(of store: ConfiguredStore) -> StoreAddress {
    StoreAddress(store, locations, environment: environment)
  }

  /// The home folder from the system's user database, for services that start without `HOME`.
  private static var userFolder: String? {
    guard let user = getpwuid(getuid()), let folder = user.pointee.pw_dir else { return nil }
    return String(cString: folder)
  }

  private static let executable: String = {
    guard let path = realpath("/proc/self/exe", nil) else { return CommandLine.arguments[0] }
    defer { free(path) }
    return String(cString: path)
  }()
}
