import FetchValues

/// A parsed filter, as a tree of fields, values and conditions.
indirect enum FilterTerm: Sendable {
  case literal(Value)
  case field([String])
  case comparison(FilterTerm, Comparison, FilterTerm)
  case not(FilterTerm)
  case and(FilterTerm, FilterTerm)
  case or(FilterTerm, FilterTerm)

  enum Comparison: String, Sendable, CaseIterable {
    case equal = "=="
    case unequal = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
    case contains
    case starts
    case ends
    case isIn = "in"
  }

  /// The first name in each field path of the filter, in order.
  var fields: [String] {
    switch self {
    case .literal: []
    case .field(let path): path.first.map { [$0] } ?? []
    case .not(let term): term.fields
    case .comparison(let left, _, let right), .and(let left, let right), .or(let left, let right):
      left.fields + right.fields
    }
  }

  func value(of subject: FilterSubject) -> Value {
    switch self {
    case .literal(let value): value
    case .field(let path): subject.value(at: path)
    case .comparison(let left, let comparison, let right):
      .bool(comparison.holds(left.value(of: subject), right.value(of: subject)))
    case .not(let term): .bool(!term.value(of: subject).isTrue)
    case .and(let left, let right):
      .bool(left.value(of: subject).isTrue && right.value(of: subject).isTrue)
    case .or(let left, let right):
      .bool(left.value(of: subject).isTrue || right.value(of: subject).isTrue)
    }
  }
}

extension Value {
  /// Whether the value counts as true without a comparison. Null, false, an empty string and an
  /// empty list count as false.
  var isTrue: Bool {
    switch self {
    case .null: false
    case .bool(let flag): flag
    case .string(let text): !text.isEmpty
    case .array(let elements): !elements.isEmpty
    default: true
    }
  }
}

extension FilterTerm.Comparison {
  func holds(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .equal: isEqual(left, right)
    case .unequal: !isEqual(left, right)
    case .less: order(left, right).map { $0 < 0 } ?? false
    case .lessOrEqual: order(left, right).map { $0 <= 0 } ?? false
    case .greater: order(left, right).map { $0 > 0 } ?? false
    case .greaterOrEqual: order(left, right).map { $0 >= 0 } ?? false
    case .contains: contains(left, right)
    case .starts: texts(left, right).map { $0.starts(with: $1) } ?? false
    case .ends: texts(left, right).map { $0.reversed().starts(with: $1.reversed()) } ?? false
    case .isIn: contains(right, left)
    }
  }

  private func isEqual(_ left: Value, _ right: Value) -> Bool {
    if let numbers = numbers(left, right) { return numbers.0 == numbers.1 }
    return left == right
  }

  /// Returns -1, 0 or 1 if `left` is less than, equal to or greater than `right`; nil if the
  /// values have no order. A number and a string that contains a number are compared as numbers.
  /// Two strings are compared by their UTF-8 bytes.
  private func order(_ left: Value, _ right: Value) -> Int? {
    if let (left, right) = numbers(left, right) { return left < right ? -1 : left > right ? 1 : 0 }
    guard let left = left.stringValue, let right = right.stringValue else { return nil }
    if left.utf8.elementsEqual(right.utf8) { return 0 }
    return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
  }

  private func numbers(_ left: Value, _ right: Value) -> (Double, Double)? {
    guard left.numberValue != nil || right.numberValue != nil else { return nil }
    guard let left = number(left), let right = number(right) else { return nil }
    return (left, right)
  }

  private func number(_ value: Value) -> Double? {
    let number = value.numberValue ?? value.stringValue.flatMap { Double($0) }
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  private func contains(_ whole: Value, _ part: Value) -> Bool {
    if case .array(let elements) = whole { return elements.contains { isEqual($0, part) } }
    guard let (whole, part) = texts(whole, part) else { return false }
    if part.isEmpty { return true }
    // Items are untrusted, so the time must not grow with the product of the two lengths.
    return part.withUnsafeBytes { part in
      whole.withUnsafeBytes { ByteSearch(part).firstIndex(in: $0) != nil }
    }
  }

  private func texts(_ left: Value, _ right: Value) -> ([UInt8], [UInt8])? {
    guard let left = left.stringValue, let right = right.stringValue else { return nil }
    return (Array(left.lowercased().utf8), Array(right.lowercased().utf8))
  }
}
