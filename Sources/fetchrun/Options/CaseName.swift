import ArgumentParser
import FetchValues

/// The rule for the names of cases, which are also the names of their folders.
enum CaseName {
  private static let bytesMax = 100

  static func check(_ name: String) throws {
    let isName =
      !name.isEmpty && name.first != "." && name.utf8.count <= bytesMax
      && name.utf8.allSatisfy { ByteSet.unreserved.contains($0) && $0 != UInt8(ascii: "~") }
    if isName { return }
    throw ValidationError(
      "invalid --case '\(name)': use up to \(bytesMax) letters, digits, '-', '_' and '.', and do"
        + " not begin with '.'")
  }
}
