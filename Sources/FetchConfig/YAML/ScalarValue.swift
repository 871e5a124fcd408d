import FetchValues

/// The values of scalars, by the types of YAML 1.1 (yaml.org/type), which most programs use: `yes`
/// is a boolean, `010` is 8, and `1:30` is 90.
extension Node.Scalar {
  /// The value of a scalar by its tag, or by its form if it is plain. A quoted scalar is a string,
  /// and so is a number that is out of range.
  var value: Value {
    let number = isPlain
    switch tag {
    case nil: return isPlain ? plainValue : .string(string)
    case "tag:yaml.org,2002:null": return .null
    case "tag:yaml.org,2002:bool": return boolean.map(Value.bool) ?? .string(string)
    case "tag:yaml.org,2002:int":
      return (number ? integer : nil).map(Value.integer) ?? .string(string)
    case "tag:yaml.org,2002:float":
      return (number ? float : nil).map(Value.number) ?? .string(string)
    default: return .string(string)
    }
  }

  /// The bytes with which a plain scalar other than a string may begin.
  private static let firstBytes = Set("~nNtTfFyYoO+-.0123456789".utf8)

  private var plainValue: Value {
    guard let first = string.utf8.first else { return .null }
    guard Self.firstBytes.contains(first) else { return .string(string) }
    switch string {
    case "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON": return .bool(true)
    case "false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF": return .bool(false)
    default: break
    }
    let form = NumberForm(string)
    if form.isInteger { return integer.map(Value.integer) ?? .string(string) }
    if form.isFloat { return float.map(Value.number) ?? .string(string) }
    return .string(string)
  }

  private var boolean: Bool? {
    switch string.lowercased() {
    case "true", "yes", "on": true
    case "false", "no", "off": false
    default: nil
    }
  }

  /// The text of a number without its underscores and its sign.
  private var unsigned: (digits: Substring, isNegative: Bool) {
    let text = string.contains("_") ? string.filter { $0 != "_" } : string
    let isNegative = text.hasPrefix("-")
    return (isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...], isNegative)
  }

  private var integer: Int64? {
    let (digits, isNegative) = unsigned
    let sign = isNegative ? "-" : ""
    if digits == "0" { return 0 }
    for (prefix, radix) in [("0x", 16), ("0b", 2), ("0o", 8), ("0", 8)]
    where digits.hasPrefix(prefix) {
      return Int64(sign + digits.dropFirst(prefix.count), radix: radix)
    }
    guard digits.contains(":") else { return Int64(sign + digits) }
    var sum: Int64 = 0
    for part in digits.split(separator: ":", omittingEmptySubsequences: false) {
      let (product, isTooLarge) = sum.multipliedReportingOverflow(by: 60)
      guard let part = Int64(part), !isTooLarge else { return nil }
      let (next, isOver) = product.addingReportingOverflow(part)
      if isOver { return nil }
      sum = next
    }
    return isNegative ? -sum : sum
  }

  private var float: Double? {
    let (digits, isNegative) = unsigned
    let sign: Double = isNegative ? -1 : 1
    switch digits.lowercased() {
    case ".inf": return sign * .infinity
    case ".nan": return .nan
    default: break
    }
    var sum = 0.0
    for part in digits.split(separator: ":", omittingEmptySubsequences: false) {
      guard let part = Double(part) else { return nil }
      sum = sum * 60 + part
    }
    return sign * sum
  }
}
