import FetchModel
package import FetchValues

extension Value {
  static func counts(_ counts: [String: Int]) -> Value {
    .object(
      ValueObject(counts.sorted { $0.key < $1.key }.map { ($0.key, .integer(Int64($0.value))) }))
  }

  static func counts(_ counts: [String: [String: Int]]) -> Value {
    .object(
      ValueObject(counts.sorted { $0.key < $1.key }.map { ($0.key, .counts($0.value)) }))
  }

  /// The value as a count, clamped to a range in which sums cannot overflow; 0 if the value is not
  /// a whole number.
  var boundedCount: Int { Int(max(0, min(integerValue ?? 0, 1 << 52))) }

  var boundedCounts: [String: Int] {
    objectValue.map { object in
      Dictionary(
        object.members.map { ($0.key, $0.value.boundedCount) }, uniquingKeysWith: { $1 })
    } ?? [:]
  }

  var nestedCounts: [String: [String: Int]] {
    objectValue.map { object in
      Dictionary(
        object.members.map { ($0.key, $0.value.boundedCounts) }, uniquingKeysWith: { $1 })
    } ?? [:]
  }

  var finiteNumber: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number.isFinite ? number : nil
    default: nil
    }
  }
}

extension Histogram {
  var value: Value {
    [
      "bounds": .array(bounds.map(Value.number)), "counts": .array(counts.map(Value.integer)),
      "sum": .number(sum),
    ]
  }

  init?(_ value: Value?) {
    guard let bounds = value?["bounds"]?.arrayValue, let counts = value?["counts"]?.arrayValue,
      let sum = value?["sum"]?.finiteNumber
    else { return nil }
    self.init(
      bounds: bounds.compactMap(\.finiteNumber), counts: counts.compactMap(\.integerValue), sum: sum
    )
  }
}

extension Value {
  /// Returns the string as a value; null for nil.
  package static func text(_ text: String?) -> Value { text.map(Value.string) ?? .null }

  /// The value as a time; nil if the value is not a string in the form of RFC 3339.
  var timeValue: Timestamp? { stringValue.flatMap { Timestamp(rfc3339: $0) } }
}
