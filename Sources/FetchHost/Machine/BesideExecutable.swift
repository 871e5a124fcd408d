import FetchModel
import FetchValues
import Glibc

/// Finds a program that belongs to this one.
package enum BesideExecutable {
  /// Returns the path in the environment variable, otherwise the program beside this one, otherwise
  /// the one in `../libexec/fetchrun/` from here. Returns nil if none can be executed.
  package static func locate(_ name: String, _ environmentName: String) -> String? {
    if let override = getenv(environmentName) { return String(cString: override) }
    guard let own = ownPath(), let slash = own.lastSlash else { return nil }
    let folder = own[..<slash]
    return ["\(folder)/\(name)", "\(folder)/../libexec/fetchrun/\(name)"]
      .first { access($0, X_OK) == 0 }
  }

  private static func ownPath() -> String? {
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
      let path = UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
      count = path.map { max(0, readlink("/proc/self/exe", $0, buffer.count)) } ?? 0
    }
    return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
  }
}
