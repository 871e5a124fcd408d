package import FetchValues

/// The type of a plugin's option. The raw values are those of `type` in a manifest.
package enum OptionKind: String, Sendable, CaseIterable {
  case string
  case url
  case integer
  case number
  case boolean
  case list
  case table
}

extension OptionKind {
  /// Whether a value has this type. Any string is accepted as a URL here; `problem(of:)` checks the
  /// URL.
  package func accepts(_ value: Value) -> Bool {
    switch self {
    case .string, .url: value.stringValue != nil
    case .integer: value.integerValue != nil
    case .number: value.numberValue != nil
    case .boolean: value.boolValue != nil
    case .list: value.arrayValue != nil
    case .table: value.objectValue != nil
    }
  }

  /// Returns why a value of this type is not valid, for example an invalid address; nil if the
  /// value is valid.
  package func problem(of value: Value) -> String? {
    guard self == .url, let text = value.stringValue else { return nil }
    do throws(Failure) {
      _ = try TargetURL(text)
      return nil
    } catch {
      return error.message
    }
  }

  /// An example of a value for messages, in the form for the command line.
  package var example: String {
    switch self {
    case .string: "text"
    case .url: "https://example.org/feed.xml"
    case .integer: "10"
    case .number: "0.5"
    case .boolean: "true or false"
    case .list: "[\"a\",\"b\"] or a,b"
    case .table: "{\"key\":\"value\"}"
    }
  }
}
