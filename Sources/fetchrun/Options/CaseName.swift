import ArgumentParser
import FetchValues

/// The rule for the names of test cases. The folder of a case has the name of the case.
enum CaseName {
  private static let bytesMax = 100

  static func check(_ name: String) throws {
    let isName =
      !name.isEmpty && name.first != "." && name.utf8.count <= bytesMax
      && name.utf8.allSatisfy { ByteSet.unreserved.contains($0) && $0 != UInt8(ascii: "~") }
    if isName { return }
    throw ValidationError(
      "invalid --case '\(name)': use up to \(bytesMax) ASCII letters, digits, '-', '_' and '.', and"
        + " do not begin with '.'")
  }
}
