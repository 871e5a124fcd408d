import FetchModel
import FetchValues

/// Lua's report of a failure: `{message?, file?, line?, code?, traceback}`.
struct LuaFailure {
  var code: FailureCode?
  var message = "the Lua code failed without a message"
  var file: String?
  var line: Int?
  var traceback: [String] = []

  init(_ encoded: [UInt8]) {
    guard let object = (try? Value(encoded: encoded))?.objectValue else { return }
    code = object["code"]?.stringValue.flatMap { FailureCode(rawValue: $0) }
    if let text = object["message"]?.stringValue { message = Self.oneLine(text) }
    file = object["file"]?.stringValue
    line = object["line"]?.integerValue.flatMap { Int(exactly: $0) }
    traceback = object["traceback"]?.arrayValue?.compactMap(\.stringValue) ?? []
  }

  func failure(as defaultCode: FailureCode) -> Failure {
    Failure(code ?? defaultCode, message, file: file, line: line, traceback: traceback)
  }

  func place(_ failure: Failure) -> Failure {
    var placed = failure
    placed.file = file
    placed.line = line
    placed.traceback = traceback
    return placed
  }

  private static func oneLine(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
      return text
    }
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
