import FetchValues

/// A lexer for Lua (Lua 5.4 manual, section 3.1).
///
/// The lexer is meant for texts that Lua has compiled. For invalid Lua, it returns some tokens, but
/// never an error.
package struct LuaLexer {
  private let source: [UInt8]
  private var index = 0
  private var line = 1
  private var tokens: [LuaToken] = []

  package static func tokens(of source: [UInt8]) -> [LuaToken] {
    var lexer = LuaLexer(source: source)
    lexer.read()
    return lexer.tokens
  }

  private init(source: [UInt8]) { self.source = source }

  static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]

  /// The symbols of Lua that have more than one byte, longest first.
  private static let symbols = [
    "...", "..", "==", "~=", "<=", ">=", "//", "::", "<<", ">>",
  ].map { Array($0.utf8) }

  private mutating func read() {
    if starts(with: "#") { skipLine() }
    while index < source.count {
      let byte = source[index]
      if byte == UInt8(ascii: "\n") {
        line += 1
        index += 1
      } else if Self.isSpace(byte) {
        index += 1
      } else if starts(with: "--") {
        index += 2
        if !skipLongBracket() { skipLine() }
      } else if Self.isNameStart(byte) {
        readName()
      } else if Self.isDigit(byte) || byte == UInt8(ascii: "."), isNumber {
        readNumber()
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        readString(byte)
      } else {
        let (start, startLine) = (index, line)
        if skipLongBracket() {
          add(.string, source[start..<index], startLine)
        } else {
          readSymbol()
        }
      }
    }
  }

  private mutating func add(_ kind: LuaToken.Kind, _ bytes: ArraySlice<UInt8>, _ line: Int) {
    tokens.append(LuaToken(kind: kind, text: String(decoding: bytes, as: UTF8.self), line: line))
  }

  private func starts(with text: String) -> Bool { source[index...].starts(with: text.utf8) }

  private mutating func skipLine() {
    while index < source.count, source[index] != UInt8(ascii: "\n") { index += 1 }
  }

  /// Skips a long string or comment such as `[[…]]` or `[==[…]==]`. Returns false, without
  /// skipping, if no long bracket begins at the current place.
  private mutating func skipLongBracket() -> Bool {
    guard starts(with: "[") else { return false }
    let level = source[(index + 1)...].prefix { $0 == UInt8(ascii: "=") }.count
    let start = index + level + 1
    guard start < source.count, source[start] == UInt8(ascii: "[") else { return false }
    let end =
      [UInt8(ascii: "]")] + Array(repeating: UInt8(ascii: "="), count: level) + [UInt8(ascii: "]")]
    index = start + 1
    while index < source.count, !source[index...].starts(with: end) {
      if source[index] == UInt8(ascii: "\n") { line += 1 }
      index += 1
    }
    index = min(index + end.count, source.count)
    return true
  }

  private mutating func readName() {
    let name = source[index...].prefix { Self.isNameStart($0) || Self.isDigit($0) }
    index = name.endIndex
    let isKeyword = Self.keywords.contains(String(decoding: name, as: UTF8.self))
    add(isKeyword ? .keyword : .name, name, line)
  }

  private var isNumber: Bool {
    Self.isDigit(source[index]) || (index + 1 < source.count && Self.isDigit(source[index + 1]))
  }

  private mutating func readNumber() {
    let start = index
    while index < source.count {
      let byte = source[index]
      let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      let isExponent = index > start && "eEpP".utf8.contains(source[index - 1])
      guard
        Self.isNameStart(byte) || Self.isDigit(byte) || byte == UInt8(ascii: ".")
          || isSign && isExponent
      else { break }
      index += 1
    }
    add(.number, source[start..<index], line)
  }

  private mutating func readString(_ quote: UInt8) {
    let startLine = line
    let start = index + 1
    index = start
    while index < source.count, source[index] != quote {
      if source[index] == UInt8(ascii: "\\") { index += 1 }
      if index < source.count, source[index] == UInt8(ascii: "\n") { line += 1 }
      index += 1
    }
    index = min(index, source.count)
    add(.string, source[start..<index], startLine)
    index = min(index + 1, source.count)
  }

  private mutating func readSymbol() {
    let length = Self.symbols.first { source[index...].starts(with: $0) }?.count ?? 1
    add(.symbol, source[index..<index + length], line)
    index += length
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isNameStart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension LuaLexer {
  /// The keywords of other languages, each with the Lua keyword of the same meaning.
  private static let foreign = [
    "func": "function", "fun": "function", "fn": "function", "def": "function", "var": "local",
    "let": "local", "const": "local", "elif": "elseif", "elsif": "elseif",
  ]

  private static let words = keywords.sorted()

  /// Returns the Lua keyword that a name probably means; nil if there is none. The name is a
  /// misspelt keyword or a keyword of another language.
  ///
  /// - Parameter bytesMin: the minimum length of a name, in bytes. A very short name may be similar
  ///   to a keyword by chance.
  package static func keyword(meantBy name: String, bytesMin: Int = 4) -> String? {
    if name.utf8.count < bytesMin { return nil }
    return foreign[name] ?? NearestName.of(name, among: words)
  }
}

/// A token of a Lua text, such as a name, a symbol or a string.
package struct LuaToken: Equatable {
  package enum Kind: Equatable {
    case name
    case keyword
    case symbol
    /// A string. The token's text is the part between the quotes, with its escapes not decoded. The
    /// text of a long string includes the brackets.
    case string
    case number
  }

  package var kind: Kind
  package var text: String
  /// The line of the token, counted from 1.
  package var line: Int

  package init(kind: Kind, text: String, line: Int) {
    self.kind = kind
    self.text = text
    self.line = line
  }

  /// Whether the token is the given keyword or symbol.
  package func isWord(_ word: String) -> Bool {
    text == word && (kind == .keyword || kind == .symbol)
  }
}
