import CHost
import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// The rights that the kernel takes from the web process: it parses text from strangers, as the user of
/// the daemon.
struct ProcessRestriction {
  /// The version of Landlock; 0 if it is not in force.
  private(set) var landlockVersion: Int32 = 0
  /// The reason why the filter of system calls is not in force; 0 if it is.
  private(set) var callsProblem: Int32 = 0

  /// Restricts the files that the process can open: the state folder for reading, its own folder and
  /// the store's shared memory for writing, and what the runtime reads. Call it before the process
  /// has other threads, and after the store was opened.
  mutating func restrictFiles(_ store: StoreAddress) {
    let folder = store.path.hasSlash ? store.path.folderPrefix : "./"
    let readable = [folder, "/proc/self", "/dev/urandom", "/usr/share/zoneinfo", "/etc/localtime"]
    let writable = [StateFolder(of: store).webFolder, store.path + "-shm", "/dev/null"]
    landlockVersion = Self.with(readable) { readable, readableCount in
      Self.with(writable) { writable, writableCount in
        restrict_files(readable, readableCount, writable, writableCount)
      }
    }
  }

  /// Restricts the system calls of all threads. Call it when the process listens.
  mutating func restrictCalls() { callsProblem = restrict_calls() }

  /// A sentence about what is not in force; nil if all is.
  var weakness: String? {
    var missing: [String] = []
    if landlockVersion == 0 { missing.append("Landlock") }
    if callsProblem != 0 { missing.append("the system call filter") }
    if missing.isEmpty { return nil }
    return "note: the kernel or container refuses \(missing.joined(separator: " and "))"
  }

  /// Calls `body` with the paths as C has them.
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
