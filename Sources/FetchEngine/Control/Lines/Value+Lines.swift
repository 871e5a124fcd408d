package import FetchValues

extension Value {
  /// A string, or null.
  package static func text(_ text: String?) -> Value { text.map(Value.string) ?? .null }

  /// An RFC 3339 time.
  var timeValue: Timestamp? { stringValue.flatMap { Timestamp(rfc3339: $0) } }
}
