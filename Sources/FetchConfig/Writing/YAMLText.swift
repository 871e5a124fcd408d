import FetchValues

/// The YAML text of values, as a person would write it, for files that `ConfigReader` reads.
package enum YAMLText {
  /// Returns a value as one line of YAML. A string is quoted unless it is certain that YAML reads
  /// it as the same string. Lists and tables are written as JSON.
  static func line(_ value: Value, hasVariables: Bool = true) -> String {
    if case .string(let text) = value { return scalar(text, hasVariables: hasVariables) }
    return flow(value, hasVariables)
  }

  private static func flow(_ value: Value, _ hasVariables: Bool) -> String {
    switch value {
    case .string(let text): return string(text, hasVariables: hasVariables)
    case .array(let elements):
      return "[" + elements.map { flow($0, hasVariables) }.joined(separator: ", ") + "]"
    case .object(let object):
      let members = object.members.map { "\(quoted($0.key)): \(flow($0.value, hasVariables))" }
      return "{" + members.joined(separator: ", ") + "}"
    case .null, .bool, .integer, .number, .bytes:
      return (try? JSONWriter.text(value)) ?? "null"
    }
  }

  /// Returns a string in quotes. It is valid inside `{ }` and `[ ]` too.
  package static func string(_ text: String, hasVariables: Bool = true) -> String {
    quoted(written(text, hasVariables))
  }

  /// Returns a text with `$${` instead of `${` if the reader of the file expands variables.
  private static func written(_ text: String, _ hasVariables: Bool) -> String {
    guard hasVariables else { return text }
    // A combining mark after the brace forms one character with it, so the search compares Unicode
    // scalars.
    return String(text.unicodeScalars.replacing("${".unicodeScalars, with: "$${".unicodeScalars))
  }

  static func scalar(_ text: String, hasVariables: Bool = true) -> String {
    let text = written(text, hasVariables)
    return isPlain(text) ? text : quoted(text)
  }

  /// The words that YAML 1.1 or 1.2 does not read as strings.
  private static let reserved: Set = [
    "true", "false", "yes", "no", "on", "off", "y", "n", "null",
  ]

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first.properties.isAlphabetic || first == "/",
      text.utf8.last != UInt8(ascii: " "), text.utf8.last != UInt8(ascii: ":"),
      !text.utf8.contains(": ".utf8), !text.utf8.contains(" #".utf8),
      !reserved.contains(text.lowercased())
    else { return false }
    return text.unicodeScalars.allSatisfy(isPrintable)
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\" + String(scalar)
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case _ where isPrintable(scalar): quoted.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
      }
    }
    return quoted + "\""
  }
}
