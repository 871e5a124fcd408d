import FetchModel
import FetchValues
import Glibc

/// The search for a program that is installed together with this program.
package enum BesideExecutable {
  /// Returns the value of the environment variable if it is set. Otherwise returns the path of the
  /// program in this program's folder, or in `../libexec/fetchrun/` relative to that folder.
  /// Returns nil if neither folder has an executable file of that name.
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
