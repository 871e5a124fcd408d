/// A scanner that reads a JSON text in one pass and writes the encoded value into its own memory.
///
/// The output is raw memory whose size at least doubles when it grows. Appending to an array would
/// need a check and a count for every byte, which would take half of the time.
struct JSONScanner: ~Copyable {
  struct Fault: Error {
    var problem: JSONProblem
    var offset: Int
  }

  /// A list or object that has begun and not ended: the index of its head in the output, the number
  /// of its complete values so far, and its kind.
  private struct Container {
    var headOffset: Int
    var count: UInt32
    var isObject: Bool
  }

  let text: UnsafeRawBufferPointer
  private let depthMax: Int
  var cursor = 0
  private var open: [Container] = []

  private var output: UnsafeMutableRawPointer
  private var outputCapacity: Int
  private var outputCount = 0

  init(_ text: UnsafeRawBufferPointer, depthMax: Int) {
    self.text = text
    self.depthMax = depthMax
    outputCapacity = text.count + text.count / 4 + 64
    output = .allocate(byteCount: outputCapacity, alignment: 1)
  }

  deinit { output.deallocate() }

  var encoded: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: output, count: outputCount) }

  // MARK: Structure

  mutating func run() throws(Fault) {
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { cursor = 3 }
    repeat {
      try scanValueStart()
    } while try scanAfterValue()
    skipWhitespace()
    guard cursor == text.count else { throw fault(.trailing) }
  }

  /// Scans a value up to its end if it is a scalar or an empty container. For any other container,
  /// scans up to the end of the first scalar or empty container inside it.
  private mutating func scanValueStart() throws(Fault) {
    while true {
      skipWhitespace()
      guard cursor < text.count else { throw fault(.endInValue) }
      switch text[cursor] {
      case UInt8(ascii: "\""): return try scanString()
      case UInt8(ascii: "{"):
        try push(isObject: true)
        if closesAtOnce(UInt8(ascii: "}")) { return }
        try scanKey()
      case UInt8(ascii: "["):
        try push(isObject: false)
        if closesAtOnce(UInt8(ascii: "]")) { return }
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try scanNumber()
      case UInt8(ascii: "t"): return try scanWord("true", ValueTag.true)
      case UInt8(ascii: "f"): return try scanWord("false", ValueTag.false)
      case UInt8(ascii: "n"): return try scanWord("null", ValueTag.null)
      default: throw fault(.unexpectedInValue(text[cursor]))
      }
    }
  }

  /// Continues after a value, and closes the containers that end there. Returns true if another
  /// value must follow, and false if the outermost value is complete.
  private mutating func scanAfterValue() throws(Fault) -> Bool {
    while let last = open.indices.last {
      open[last].count &+= 1
      skipWhitespace()
      guard cursor < text.count else { throw fault(.endInContainer(isObject: open[last].isObject)) }
      let byte = text[cursor]
      if byte == UInt8(ascii: ",") {
        cursor &+= 1
        guard open[last].isObject else { return true }
        skipWhitespace()
        try scanKey()
        return true
      }
      let closing = open[last].isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
      guard byte == closing else {
        throw fault(.unexpectedAfterValue(byte, isObject: open[last].isObject))
      }
      cursor &+= 1
      pop()
    }
    return false
  }

  private mutating func push(isObject: Bool) throws(Fault) {
    guard open.count < depthMax else { throw fault(.tooDeep(depthMax)) }
    cursor &+= 1
    open.append(Container(headOffset: outputCount, count: 0, isObject: isObject))
    reserve(5)
    put(isObject ? ValueTag.object : ValueTag.array)
    put(UInt32(0))
  }

  private mutating func pop() {
    guard let container = open.popLast() else { return }
    output.storeBytes(
      of: container.count.littleEndian, toByteOffset: container.headOffset &+ 1, as: UInt32.self)
  }

  private mutating func closesAtOnce(_ closing: UInt8) -> Bool {
    skipWhitespace()
    guard cursor < text.count, text[cursor] == closing else { return false }
    cursor &+= 1
    pop()
    return true
  }

  private mutating func scanKey() throws(Fault) {
    guard cursor < text.count else { throw fault(.endInContainer(isObject: true)) }
    guard text[cursor] == UInt8(ascii: "\"") else { throw fault(.keyExpected(text[cursor])) }
    try scanString()
    skipWhitespace()
    guard cursor < text.count else { throw fault(.endInContainer(isObject: true)) }
    guard text[cursor] == UInt8(ascii: ":") else { throw fault(.colonExpected(text[cursor])) }
    cursor &+= 1
  }

  private mutating func scanWord(_ word: StaticString, _ tag: UInt8) throws(Fault) {
    let count = min(word.utf8CodeUnitCount, text.count &- cursor)
    for index in 0..<count where text[cursor &+ index] != word.utf8Start[index] {
      throw fault(.unexpectedInValue(text[cursor]))
    }
    guard count == word.utf8CodeUnitCount else { throw fault(.endInValue) }
    cursor &+= count
    reserve(1)
    put(tag)
  }

  @inline(__always)
  private mutating func skipWhitespace() {
    while cursor < text.count {
      switch text[cursor] {
      case 0x20, 0x0A, 0x0D, 0x09: cursor &+= 1
      default: return
      }
    }
  }

  func fault(_ problem: JSONProblem, at offset: Int? = nil) -> Fault {
    Fault(problem: problem, offset: offset ?? cursor)
  }

  // MARK: Output

  /// Makes room for `count` more bytes. `put` does not check whether there is room.
  @inline(__always)
  mutating func reserve(_ count: Int) {
    if outputCapacity &- outputCount < count { grow(count) }
  }

  @inline(never)
  private mutating func grow(_ count: Int) {
    let capacity = max(outputCapacity &* 2, outputCount &+ count)
    let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
    grown.copyMemory(from: output, byteCount: outputCount)
    output.deallocate()
    output = grown
    outputCapacity = capacity
  }

  @inline(__always)
  mutating func put(_ byte: UInt8) {
    output.storeBytes(of: byte, toByteOffset: outputCount, as: UInt8.self)
    outputCount &+= 1
  }

  @inline(__always)
  mutating func put<T: FixedWidthInteger>(_ value: T) {
    output.storeBytes(of: value.littleEndian, toByteOffset: outputCount, as: T.self)
    outputCount &+= MemoryLayout<T>.size
  }

  @inline(__always)
  mutating func put(_ range: Range<Int>) {
    guard let base = text.baseAddress, !range.isEmpty else { return }
    output.advanced(by: outputCount).copyMemory(
      from: base + range.lowerBound, byteCount: range.count)
    outputCount &+= range.count
  }

  var outputOffset: Int { outputCount }

  /// Writes the length of a `string` into the head at `offset`. The content of the `string` must
  /// end at the end of the output.
  mutating func patchLength(at offset: Int) {
    let length = UInt32(truncatingIfNeeded: outputCount &- offset &- 5)
    output.storeBytes(of: length.littleEndian, toByteOffset: offset &+ 1, as: UInt32.self)
  }
}

/// A mistake at one place of a JSON text, described for the author of the text.
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
    case .endInValue: "the text ends before a value is complete"
    case .endInString: "the text ends within a string"
    case .endInContainer(let isObject): "the text ends within \(isObject ? "an object" : "a list")"
    case .trailing: "there is more text after the value"
    case .unexpectedInValue(let byte): "expected a value, but found \(Self.name(byte))"
    case .unexpectedAfterValue(let byte, let isObject):
      "expected ',' or '\(isObject ? "}" : "]")', but found \(Self.name(byte))"
    case .keyExpected(let byte):
      "expected a name in double quotes, but found \(Self.name(byte))"
    case .colonExpected(let byte): "expected ':' after the name, but found \(Self.name(byte))"
    case .tooDeep(let depthMax): "the value is nested deeper than \(depthMax) levels"
    case .controlInString(let byte): "\(Self.name(byte)) must be escaped within a string"
    case .unknownEscape: "a string has an unknown escape"
    case .badUnicodeEscape: "\\u must be followed by four hexadecimal digits"
    case .notUTF8(let byte): "\(Self.name(byte)) is not valid UTF-8"
    case .digitExpected: "the number lacks a digit"
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
