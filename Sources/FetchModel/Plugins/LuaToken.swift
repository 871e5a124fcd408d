import FetchValues

/// A word or symbol of a Lua text.
package struct LuaToken: Equatable {
  package enum Kind: Equatable {
    case name
    case keyword
    case symbol
    /// A string; the token's text is the part between the quotes, with its escapes.
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
