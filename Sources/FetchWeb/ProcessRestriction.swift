import CHost
import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// The restrictions of the web process, which the kernel enforces. The restrictions are needed
/// because the process parses untrusted input.
struct ProcessRestriction {
  /// The version of Landlock; 0 if Landlock is not in force.
  private(set) var landlockVersion: Int32 = 0
  /// The error number if the filter of system calls could not be installed, otherwise 0.
  private(set) var callsProblem: Int32 = 0

  /// Restricts the files that the process can open, if the kernel supports Landlock. The process
  /// can then read the folder of the store and some system files. It can write its own folder,
  /// `/dev/null`, and the shared memory of a store in a file. If the store is on a server, the
  /// process can also read the files that libpq needs for a connection.
  ///
  /// Call this function after the store is opened, and before other threads start. The function
  /// also applies the other restrictions of `restrict_files`.
  mutating func restrictFiles(_ store: StoreAddress, _ environment: [String: String]) {
    let state = StateFolder(of: store)
    var readable = [
      state.folder, "/proc/self", "/dev/urandom", "/usr/share/zoneinfo", "/etc/localtime",
    ]
    var writable = [state.webFolder, "/dev/null"]
    if store.isServer {
      readable += Self.connectionFiles
      if let home = environment["HOME"] { readable += [home + "/.postgresql", home + "/.pgpass"] }
      readable += ["PGPASSFILE", "PGSSLROOTCERT"].compactMap { environment[$0] }
      for field in store.path.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
        if field.hasPrefix("sslrootcert=") { readable.append(String(field.dropFirst(12))) }
      }
    } else {
      writable.append(store.path + "-shm")
    }
    landlockVersion = Self.with(readable) { readable, readableCount in
      Self.with(writable) { writable, writableCount in
        restrict_files(readable, readableCount, writable, writableCount, store.isServer)
      }
    }
  }

  /// The files that a connection to a server needs: for example libraries, the settings for the
  /// lookup of hostnames, and certificates.
  private static let connectionFiles = [
    "/usr/lib", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/resolv.conf", "/etc/hosts",
    "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services", "/etc/passwd",
    "/etc/ssl", "/usr/share/ca-certificates",
  ]

  /// Restricts the system calls of all threads, if the kernel accepts the filter. Call this
  /// function after the process has begun to listen. The process can then create no sockets except
  /// unix sockets, and internet sockets if the store is on a server.
  mutating func restrictCalls(_ store: StoreAddress) {
    callsProblem = restrict_calls(store.isServer)
  }

  /// A message about the restrictions that are not in force; nil if all are in force.
  var weakness: String? {
    var missing: [String] = []
    if landlockVersion == 0 { missing.append("Landlock") }
    if callsProblem != 0 { missing.append("the system call filter") }
    if missing.isEmpty { return nil }
    return "note: the web process runs without \(missing.joined(separator: " and ")), because the"
      + " kernel or container refuses \(missing.count == 1 ? "it" : "both")"
  }

  /// Calls `body` with the paths as C strings, and with their number.
  private static func with<Result>(
    _ paths: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?, Int32) -> Result
  ) -> Result {
    var bytes: [CChar] = []
    var starts: [Int] = []
    for path in paths {
      starts.append(bytes.count)
      bytes += path.utf8CString
    }
    return bytes.withUnsafeBufferPointer { bytes in
      let texts = starts.map { start in bytes.baseAddress.map { $0 + start } }
      return texts.withUnsafeBufferPointer { body($0.baseAddress, Int32($0.count)) }
    }
  }
}
