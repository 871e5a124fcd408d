package import FetchValues
import Foundation

/// The folder of conformance cases that the environment variable FETCHRUN_CONFORMANCE names. The
/// cases are from other projects and are not part of this project.
package struct ConformanceFolder: Sendable {
  package let path: String

  /// The folder, or nil if the variable is not set.
  package static let fromEnvironment = ProcessInfo.processInfo.environment["FETCHRUN_CONFORMANCE"]
    .map { ConformanceFolder(path: $0) }

  package init(path: String) { self.path = path }

  package func bytes(of file: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: path).appendingPathComponent(file)))
  }

  /// Returns one JSON object for each line of the file.
  package func cases(of file: String) throws -> [Value] {
    try bytes(of: file).split(separator: UInt8(ascii: "\n")).map { line in
      try JSONReader.decode(Array(line))
    }
  }

  /// Returns the input of a JSON case, from base64 or generated from [unit, count, end]. Returns
  /// nil if the case has neither form or the base64 is invalid.
  package static func jsonInput(of testCase: Value) -> [UInt8]? {
    if let parts = testCase["gen"]?.arrayValue, parts.count == 3,
      let unit = parts[0].stringValue, let count = parts[1].integerValue,
      let end = parts[2].stringValue
    {
      return Array(String(repeating: unit, count: Int(count)).utf8) + Array(end.utf8)
    }
    return testCase["b64"]?.stringValue.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
  }
}
