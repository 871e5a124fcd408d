/// CSS selectors for HTML, translated to XPath 1.0.
///
/// The supported selectors are type, universal, class, id and attribute selectors with all
/// operators, the four combinators, lists, `:first-child`, `:last-child`, `:only-child`,
/// `:nth-child`, `:nth-last-child`, `:first-of-type`, `:last-of-type`, `:only-of-type`,
/// `:nth-of-type`, `:nth-last-of-type`, `:empty`, `:checked`, `:root`, `:not`, `:is`, `:has` and
/// `:contains("text")`. The `of-type` classes need an element's name.
///
/// Only elements below the queried node match, with two exceptions. A selector whose first compound
/// contains `:root` starts at the document's root. A selector that begins with `+` or `~` starts at
/// the following siblings of the queried node. An unsupported selector is an error.
struct CSSSelector {
  /// The maximum nesting of selectors inside `:not`, `:is` and `:has`.
  private static let depthMax = 8

  private let text: [UInt8]
  private var index = 0
  private let source: String
  /// Whether the compound selector that was read last contains `:root` outside parentheses.
  private var isRoot = false

  static func xpath(_ selector: String) throws(LibraryError) -> String {
    guard selector.utf8.count <= XMLXPath.expressionBytesMax else {
      throw .misuse("the selector is longer than \(XMLXPath.expressionBytesMax) bytes")
    }
    var parser = CSSSelector(selector)
    let path = try parser.list(depth: 0, first: "descendant::")
    guard parser.index == parser.text.count else { throw parser.problem("unexpected character") }
    return path
  }

  private init(_ selector: String) {
    source = selector
    text = Array(selector.utf8)
  }

  /// Returns an error that names the column of the byte at `place`, counted in characters. Without
  /// `place`, the error names the column of the next byte to read.
  private func problem(_ what: String, at place: Int? = nil) -> LibraryError {
    let before = text[..<min(place ?? index, text.count)]
    let column = before.count { $0 & 0xC0 != 0x80 } + 1
    return .misuse("CSS selector '\(source)': \(what) at column \(column)")
  }

  private var current: UInt8? { index < text.count ? text[index] : nil }

  private mutating func skipBlanks() -> Bool {
    let start = index
    while let byte = current, ASCII.isBlank(byte) { index += 1 }
    return index > start
  }

  private mutating func skip(_ letter: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: letter) else { return false }
    index += 1
    return true
  }

  private mutating func list(depth: Int, first axis: String) throws(LibraryError) -> String {
    guard depth <= Self.depthMax else { throw problem("selectors nested too deeply") }
    var paths = [try complex(depth: depth, first: axis)]
    while skip(",") { paths.append(try complex(depth: depth, first: axis)) }
    return paths.joined(separator: " | ")
  }

  /// Reads the argument of `:is` or `:not`: compound selectors, separated by commas, that are
  /// conditions on one element.
  private mutating func compounds(depth: Int) throws(LibraryError) -> String {
    guard depth <= Self.depthMax else { throw problem("selectors nested too deeply") }
    var tests: [String] = []
    repeat {
      _ = skipBlanks()
      tests.append("self::" + (try compound(depth: depth)))
      _ = skipBlanks()
    } while skip(",")
    return tests.joined(separator: " or ")
  }

  /// Reads compound selectors that are connected by combinators.
  private mutating func complex(depth: Int, first axis: String) throws(LibraryError) -> String {
    _ = skipBlanks()
    let combinator = try combinator(after: false).map { String($0.dropFirst()) }
    _ = skipBlanks()
    let first = try compound(depth: depth)
    let isAnywhere = isRoot && combinator == nil && depth == 0
    var path = (isAnywhere ? "ancestor-or-self::" : combinator ?? axis) + first
    while true {
      let hasBlank = skipBlanks()
      guard let axis = try self.combinator(after: hasBlank) else { return path }
      _ = skipBlanks()
      path += axis + (try compound(depth: depth))
    }
  }

  /// Reads the next combinator and returns its XPath axis; nil if there is no combinator.
  private mutating func combinator(after hasBlank: Bool) throws(LibraryError) -> String? {
    switch current {
    case UInt8(ascii: ">"):
      index += 1
      return "/child::"
    case UInt8(ascii: "+"):
      index += 1
      return "/following-sibling::*[1]/self::"
    case UInt8(ascii: "~"):
      index += 1
      return "/following-sibling::"
    case nil, UInt8(ascii: ","), UInt8(ascii: ")"): return nil
    default: return hasBlank ? "/descendant::" : nil
    }
  }

  /// Reads a compound selector and returns it in XPath, as `name[…][…]`.
  private mutating func compound(depth: Int) throws(LibraryError) -> String {
    let start = index
    isRoot = false
    var name = "*"
    if !skip("*"), let byte = current, isNameByte(byte) { name = try identifier().lowercased() }
    var conditions = ""
    while let byte = current {
      switch byte {
      case UInt8(ascii: "."):
        index += 1
        let quoted = Self.literal(" " + (try identifier()) + " ")
        conditions += "[contains(concat(' ', normalize-space(@class), ' '), \(quoted))]"
      case UInt8(ascii: "#"):
        index += 1
        conditions += "[@id = \(Self.literal(try identifier()))]"
      case UInt8(ascii: "["): conditions += "[\(try attribute())]"
      case UInt8(ascii: ":"): conditions += "[\(try pseudo(name, depth: depth))]"
      default:
        guard index > start else { throw problem("selector expected") }
        return name + conditions
      }
    }
    guard index > start else { throw problem("selector expected") }
    return name + conditions
  }

  private func isNameByte(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "_") || byte >= 0x80 || byte == UInt8(ascii: "\\")
  }

  /// Reads a name. A `\` makes the next character literal.
  private mutating func identifier() throws(LibraryError) -> String {
    var name: [UInt8] = []
    while let byte = current, isNameByte(byte) {
      index += 1
      if byte == UInt8(ascii: "\\"), let next = current {
        name.append(next)
        index += 1
      } else {
        name.append(byte)
      }
    }
    guard !name.isEmpty else { throw problem("name expected") }
    return String(decoding: name, as: UTF8.self)
  }

  private mutating func value() throws(LibraryError) -> String {
    guard let quote = current, quote == 0x22 || quote == 0x27 else { return try identifier() }
    index += 1
    let start = index
    while let byte = current, byte != quote { index += 1 }
    guard current == quote else { throw problem("unterminated quote", at: start - 1) }
    defer { index += 1 }
    return String(decoding: text[start..<index], as: UTF8.self)
  }

  /// Returns an XPath literal. XPath has no escapes, so a text with both kinds of quotes is written
  /// with `concat`.
  static func literal(_ text: String) -> String {
    if !text.utf8.contains(0x27) { return "'\(text)'" }
    if !text.utf8.contains(0x22) { return "\"\(text)\"" }
    let parts = text.split(separator: "'", omittingEmptySubsequences: false).map { "'\($0)'" }
    return "concat(" + parts.joined(separator: ", \"'\", ") + ")"
  }
}

// MARK: - Attributes and pseudo-classes

extension CSSSelector {
  private mutating func attribute() throws(LibraryError) -> String {
    index += 1
    _ = skipBlanks()
    let name = "@" + (try identifier()).lowercased()
    _ = skipBlanks()
    if skip("]") { return name }
    let start = current
    let place = index
    if start != nil, start != UInt8(ascii: "=") { index += 1 }
    guard skip("=") else { throw problem("operator expected", at: place) }
    _ = skipBlanks()
    let plain = try value()
    let quoted = Self.literal(plain)
    _ = skipBlanks()
    guard skip("]") else { throw problem("']' expected") }
    switch start {
    case UInt8(ascii: "="): return "\(name) = \(quoted)"
    case UInt8(ascii: "^"):
      return plain.isEmpty ? "false()" : "starts-with(\(name), \(quoted))"
    case UInt8(ascii: "*"): return plain.isEmpty ? "false()" : "contains(\(name), \(quoted))"
    case UInt8(ascii: "$"):
      let length = plain.unicodeScalars.count
      return plain.isEmpty
        ? "false()"
        : "substring(\(name), string-length(\(name)) - \(length - 1)) = \(quoted)"
    case UInt8(ascii: "~"):
      let padded = Self.literal(" \(plain) ")
      return "contains(concat(' ', normalize-space(\(name)), ' '), \(padded))"
    case UInt8(ascii: "|"):
      return "\(name) = \(quoted) or starts-with(\(name), \(Self.literal(plain + "-")))"
    default: throw problem("unknown operator", at: place)
    }
  }

  private mutating func pseudo(_ name: String, depth: Int) throws(LibraryError) -> String {
    let start = index
    index += 1
    let pseudo = try identifier().lowercased()
    switch pseudo {
    case "first-child": return "not(preceding-sibling::*)"
    case "last-child": return "not(following-sibling::*)"
    case "only-child": return "not(preceding-sibling::*) and not(following-sibling::*)"
    case "first-of-type" where name != "*": return "not(preceding-sibling::\(name))"
    case "last-of-type" where name != "*": return "not(following-sibling::\(name))"
    case "only-of-type" where name != "*":
      return "not(preceding-sibling::\(name)) and not(following-sibling::\(name))"
    case "empty": return "not(*) and not(text())"
    case "checked": return Self.checked
    case "root":
      isRoot = true
      return "not(parent::*)"
    default: return try pseudoWithArgument(pseudo, name, from: start, depth: depth)
    }
  }

  /// The condition for a selected option, or a checked box or button (HTML standard, `:checked`).
  private static let checked =
    "self::option[@selected] or self::input[@checked][contains(' checkbox radio ', concat(' ', "
    + "translate(normalize-space(@type), 'ABCDEHIKORX', 'abcdehikorx'), ' '))]"

  private mutating func pseudoWithArgument(
    _ pseudo: String, _ name: String, from start: Int, depth: Int
  ) throws(LibraryError) -> String {
    guard skip("(") else { throw problem("':\(pseudo)' is not supported", at: start) }
    let outer = isRoot
    defer { isRoot = outer }
    _ = skipBlanks()
    let condition: String
    switch pseudo {
    case "nth-child": condition = try nth("preceding-sibling::*")
    case "nth-last-child": condition = try nth("following-sibling::*")
    case "nth-of-type" where name != "*": condition = try nth("preceding-sibling::\(name)")
    case "nth-last-of-type" where name != "*": condition = try nth("following-sibling::\(name)")
    case "is": condition = try compounds(depth: depth + 1)
    case "not": condition = "not(" + (try compounds(depth: depth + 1)) + ")"
    case "has": condition = try list(depth: depth + 1, first: "descendant::")
    case "contains": condition = "contains(., " + Self.literal(try value()) + ")"
    default: throw problem("':\(pseudo)()' is not supported", at: start)
    }
    _ = skipBlanks()
    guard skip(")") else { throw problem("')' expected") }
    return condition
  }

  /// Reads `odd`, `even`, `3`, `2n+1` or `-n+3`.
  private mutating func nth(_ siblings: String) throws(LibraryError) -> String {
    let start = index
    while let byte = current, byte != UInt8(ascii: ")") { index += 1 }
    let formula = text[start..<index].filter { !ASCII.isBlank($0) }
    let place = "(count(\(siblings)) + 1)"
    guard let (step, offset) = Self.formula(String(decoding: formula, as: UTF8.self)) else {
      throw problem("a number, odd, even or an+b expected", at: start)
    }
    if step == 0 { return "\(place) = \(offset)" }
    if step > 0 { return "\(place) >= \(offset) and (\(place) - \(offset)) mod \(step) = 0" }
    return "\(place) <= \(offset) and (\(offset) - \(place)) mod \(-step) = 0"
  }

  private static func formula(_ text: String) -> (step: Int32, offset: Int32)? {
    switch text.lowercased() {
    case "odd": return (2, 1)
    case "even": return (2, 0)
    case let text:
      guard let letter = text.firstIndex(of: "n") else { return Int32(text).map { (0, $0) } }
      let head = text[..<letter]
      let tail = text[text.index(after: letter)...]
      let step: Int32? = head.isEmpty || head == "+" ? 1 : head == "-" ? -1 : Int32(head)
      guard let step, step > Int32.min, let offset = tail.isEmpty ? 0 : Int32(tail) else {
        return nil
      }
      return (step, offset)
    }
  }
}
