import FetchValues

/// The values of scalars, by the types of YAML 1.1 (yaml.org/type): `yes` is a boolean, `010` is 8,
/// and `1:30` is 90.
extension Node.Scalar {
  /// The value of a scalar by its tag or, without a tag, by its form. Without a tag, a quoted
  /// scalar or a block is a string. An integer that is out of range is also a string.
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

  /// The possible first bytes of a plain scalar that is not a string.
  private static let firstBytes = ByteSet("~nNtTfFyYoO+-.0123456789")

  /// Whether the text is that of a null. A quoted null is a string.
  var isNull: Bool {
    switch string {
    case "", "~", "null", "Null", "NULL": true
    default: false
    }
  }

  private var plainValue: Value {
    guard let first = string.utf8.first else { return .null }
    guard Self.firstBytes.contains(first) else { return .string(string) }
    if isNull { return .null }
    switch string {
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

/// The forms of numbers in YAML 1.1 (yaml.org/type/int.html and float.html). They are recognised
/// without regular expressions, because creating regular expressions takes a millisecond.
struct NumberForm {
  /// Whether the text has the form `12`, `0x1f`, `0b11`, `017`, `0o17` or `1:30`.
  let isInteger: Bool
  /// Whether the text has the form `1.5`, `1e3`, `.5`, `1:30.5`, `.inf` or `.nan`. An integer may
  /// have the form of a float as well.
  let isFloat: Bool

  init(_ text: String) {
    var bytes = Array(text.utf8)[...]
    let isSigned = bytes.first == UInt8(ascii: "+") || bytes.first == UInt8(ascii: "-")
    if isSigned { bytes = bytes.dropFirst() }
    isInteger = Self.isInteger(bytes)
    isFloat = Self.isFloat(bytes, isSigned)
  }

  private typealias Bytes = ArraySlice<UInt8>

  private static func isInteger(_ bytes: Bytes) -> Bool {
    if bytes.first == UInt8(ascii: "0") {
      let rest = bytes.dropFirst()
      return rest.isEmpty || isAll(rest, "01234567_") || isPrefixed(rest, "o", "01234567_")
        || isPrefixed(rest, "b", "01_") || isPrefixed(rest, "x", "0123456789abcdefABCDEF_")
    }
    guard isDigit(bytes.first) else { return false }
    let rest = bytes.drop(while: isDigitOrLine)
    return rest.isEmpty || sexagesimals(rest)?.isEmpty == true
  }

  private static func isFloat(_ bytes: Bytes, _ isSigned: Bool) -> Bool {
    if bytes.first == UInt8(ascii: ".") {
      let rest = bytes.dropFirst()
      switch String(decoding: rest, as: UTF8.self) {
      case "inf", "Inf", "INF": return true
      case "nan", "NaN", "NAN": return !isSigned
      default: break
      }
      let exponent = rest.drop(while: isDigitOrLine)
      guard !isSigned, exponent.count < rest.count else { return false }
      return exponent.isEmpty || isExponent(exponent, needsSign: true)
    }
    guard isDigit(bytes.first) else { return false }
    let rest = bytes.drop(while: isDigitOrLine)
    if let fraction = sexagesimals(rest) {
      return fraction.first == UInt8(ascii: ".") && fraction.dropFirst().allSatisfy(isDigitOrLine)
    }
    let exponent =
      rest.first == UInt8(ascii: ".") ? rest.dropFirst().drop(while: isDigitOrLine) : rest
    return exponent.isEmpty || isExponent(exponent, needsSign: false)
  }

  /// Skips groups such as `:30` and returns the bytes after them. Returns nil if there are no
  /// groups, or if a group is invalid.
  private static func sexagesimals(_ bytes: Bytes) -> Bytes? {
    var rest = bytes
    while rest.first == UInt8(ascii: ":") {
      let digits = rest.dropFirst().prefix(while: isDigit)
      let isBelow60 = digits.count == 2 && digits.first.map { $0 < UInt8(ascii: "6") } == true
      guard digits.count == 1 || isBelow60 else { return nil }
      rest = rest.dropFirst(1 + digits.count)
    }
    return rest.count == bytes.count ? nil : rest
  }

  private static func isExponent(_ bytes: Bytes, needsSign: Bool) -> Bool {
    guard bytes.first == UInt8(ascii: "e") || bytes.first == UInt8(ascii: "E") else { return false }
    let rest = bytes.dropFirst()
    let isSigned = rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-")
    let digits = isSigned ? rest.dropFirst() : rest
    return (isSigned || !needsSign) && !digits.isEmpty && digits.allSatisfy(isDigit)
  }

  private static func isPrefixed(_ bytes: Bytes, _ letter: Unicode.Scalar, _ all: String) -> Bool {
    bytes.first == UInt8(ascii: letter) && isAll(bytes.dropFirst(), all)
  }

  private static func isAll(_ bytes: Bytes, _ allowed: String) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy(allowed.utf8.contains)
  }

  private static func isDigit(_ byte: UInt8?) -> Bool {
    byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
  }

  private static func isDigitOrLine(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == UInt8(ascii: "_")
  }
}
