package import FetchValues

extension Value {
  /// Returns a string, or null.
  package static func text(_ text: String?) -> Value { text.map(Value.string) ?? .null }

  /// The time of an RFC 3339 string.
  var timeValue: Timestamp? { stringValue.flatMap { Timestamp(rfc3339: $0) } }
}
