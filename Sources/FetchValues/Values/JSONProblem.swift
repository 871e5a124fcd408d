/// What is wrong at one place of a JSON text, in words for whoever wrote it.
enum JSONProblem {
  case endInValue
  case endInString
  case endInContainer(isObject: Bool)
  case trailing
  case unexpectedInValue(UInt8)
  case unexpectedAfterValue(UInt8, isObject: Bool)
  case keyExpected(UInt8)
  case colonExpected(UInt8)
  case tooDeep(Int)
  case controlInString(UInt8)
  case unknownEscape
  case badUnicodeEscape
  case notUTF8(UInt8)
  case digitExpected
  case leadingZero
  case numberTooLarge
}

extension JSONProblem: CustomStringConvertible {
  var description: String {
    switch self {
    case .endInValue: "a value expected, but the text ends"
    case .endInString: "the text ends within a string"
    case .endInContainer(let isObject): "the text ends within \(isObject ? "an object" : "a list")"
    case .trailing: "more text after the value"
    case .unexpectedInValue(let byte): "a value expected, got \(Self.name(byte))"
    case .unexpectedAfterValue(let byte, let isObject):
      "',' or '\(isObject ? "}" : "]")' expected, got \(Self.name(byte))"
    case .keyExpected(let byte): "a name in double quotes expected, got \(Self.name(byte))"
    case .colonExpected(let byte): "':' expected after the name, got \(Self.name(byte))"
    case .tooDeep(let depthMax): "nested deeper than \(depthMax)"
    case .controlInString(let byte): "\(Self.name(byte)) must be escaped within a string"
    case .unknownEscape: "unknown escape in a string"
    case .badUnicodeEscape: "\\u must be followed by four hexadecimal digits"
    case .notUTF8(let byte): "\(Self.name(byte)) is not valid UTF-8"
    case .digitExpected: "a digit expected in the number"
    case .leadingZero: "a number must not begin with a zero"
    case .numberTooLarge: "the number is beyond the range of a double"
    }
  }

  private static func name(_ byte: UInt8) -> String {
    if (0x21...0x7E).contains(byte) { return "'\(Character(Unicode.Scalar(byte)))'" }
    let digits = String(byte, radix: 16, uppercase: true)
    return "byte 0x\(byte < 16 ? "0" : "")\(digits)"
  }
}
