import FetchModel
import FetchValues

/// An expression in a plugin's code, such as `feed.items`, `cells[1]` or `page:css_first("a")`.
struct LuaExpression: Equatable {
  /// The source text without spaces, except around keywords and after commas.
  let text: String
  /// The expression before the last part, such as `feed` for `feed.items`. The value is nil for a
  /// single name, for a call, and for an expression in parentheses.
  let owner: String?
  /// The names and fixed keys of `owner`, in the form that `path` returns. The value is nil if
  /// there is no owner or if the owner has other parts.
  let ownerPath: [Value]?
  let end: End

  /// The last part of an expression.
  enum End: Equatable {
    case name(String)
    case field(String)
    case index(Int64)
    /// A key other than a string literal or a decimal integer.
    case key
    case method(String)
    case call
  }

  /// The maximum length of the text in bytes. With a longer text, the message would be less clear
  /// than Lua's own message.
  private static let bytesMax = 60
  static let tokensMax = 64

  /// Creates the expression whose last token is at `end`; nil if no expression ends there or the
  /// expression is too long.
  init?(_ tokens: [LuaToken], endingAt end: Int) {
    guard let start = Self.start(tokens, end) else { return nil }
    text = Self.text(tokens[start...end])
    guard text.utf8.count <= Self.bytesMax else { return nil }
    let ownerEnd: Int?
    (self.end, ownerEnd) = Self.end(tokens, start, end)
    owner = ownerEnd.map { Self.text(tokens[start...$0]) }
    ownerPath = ownerEnd.flatMap { Self.path(tokens, start, $0) }
  }

  /// Returns the number of tokens of the expression that ends at `end`. Returns nil if no
  /// expression ends there, or if the search for its first token reaches `tokensMax`.
  static func length(_ tokens: [LuaToken], endingAt end: Int) -> Int? {
    start(tokens, end).map { end - $0 + 1 }
  }

  // MARK: Reading backwards

  private static func start(_ tokens: [LuaToken], _ end: Int) -> Int? {
    var place = end
    while place >= 0, end - place < tokensMax {
      let token = tokens[place]
      if token.kind == .name {
        guard place >= 2, tokens[place - 1].isWord(".") || tokens[place - 1].isWord(":") else {
          return place
        }
        place -= 2
      } else if token.kind == .string {
        guard place >= 1, isPrefix(tokens[place - 1]) else { return nil }
        place -= 1
      } else if let opening = opening(tokens, place) {
        guard opening >= 1, isPrefix(tokens[opening - 1]) else {
          return token.isWord(")") ? opening : nil
        }
        place = opening - 1
      } else {
        return nil
      }
    }
    return nil
  }

  private static func isPrefix(_ token: LuaToken) -> Bool {
    token.kind == .name || token.kind == .string || token.isWord(")") || token.isWord("]")
  }

  /// Returns the place of the opening bracket for the closing bracket at `place`. The result is nil
  /// for a token that is not a closing bracket. The result is also nil if the opening bracket is
  /// missing, or is more than `tokensMax` tokens before the closing bracket.
  static func opening(_ tokens: [LuaToken], _ place: Int) -> Int? {
    let pairs = [")": "(", "]": "[", "}": "{"]
    guard tokens[place].kind == .symbol, pairs[tokens[place].text] != nil else { return nil }
    var depth = 0
    let first = max(0, place - tokensMax)
    for index in stride(from: place, through: first, by: -1) where tokens[index].kind == .symbol {
      if pairs[tokens[index].text] != nil { depth += 1 }
      if pairs.values.contains(tokens[index].text) { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  private static func end(_ tokens: [LuaToken], _ start: Int, _ end: Int) -> (End, Int?) {
    let token = tokens[end]
    if end == start { return (.name(token.text), nil) }
    if token.kind == .name {
      return (tokens[end - 1].isWord(":") ? .method(token.text) : .field(token.text), end - 2)
    }
    guard token.isWord("]"), let opening = opening(tokens, end), opening > start else {
      return (.call, nil)
    }
    guard opening + 2 == end else { return (.key, opening - 1) }
    let key = tokens[opening + 1]
    if key.kind == .string { return (.field(key.text), opening - 1) }
    return (key.kind == .number ? Int64(key.text).map(End.index) ?? .key : .key, opening - 1)
  }

  /// Returns the names and fixed keys of the expression from `start` to `end`; nil if the
  /// expression has other parts. The path of an expression that begins with `NAME:json()` begins
  /// with `""`.
  private static func path(_ tokens: [LuaToken], _ start: Int, _ end: Int) -> [Value]? {
    guard tokens[start].kind == .name else { return nil }
    var path: [Value] = [.string(tokens[start].text)]
    var place = start + 1
    while place <= end {
      let rest = tokens[place...end].map(\.text)
      if rest.starts(with: [":", "json", "(", ")"]), place == start + 1 {
        path = [""]
        place += 4
      } else if rest.count >= 2, rest[0] == ".", tokens[place + 1].kind == .name {
        path.append(.string(rest[1]))
        place += 2
      } else if rest.count >= 3, rest[0] == "[", rest[2] == "]" {
        let key = tokens[place + 1]
        if key.kind == .string {
          path.append(.string(key.text))
        } else if key.kind == .number, let number = Int64(key.text) {
          path.append(.integer(number))
        } else {
          return nil
        }
        place += 3
      } else {
        return nil
      }
    }
    return path
  }

  private static func text(_ tokens: ArraySlice<LuaToken>) -> String {
    tokens.map { token in
      switch token.kind {
      case .string: "\"\(token.text)\""
      case .keyword: " \(token.text) "
      case .symbol where token.text == ",": ", "
      default: token.text
      }
    }.joined()
  }
}
