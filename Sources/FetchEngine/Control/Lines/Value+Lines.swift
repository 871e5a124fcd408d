package import FetchValues

extension Value {
  /// Returns the string as a value; null for nil.
  package static func text(_ text: String?) -> Value { text.map(Value.string) ?? .null }

  /// The time in an RFC 3339 string; nil if the value is not one.
  var timeValue: Timestamp? { stringValue.flatMap { Timestamp(rfc3339: $0) } }
}
