import FetchValues

/// A word or sign of a Lua text.
package struct LuaToken: Equatable {
  package enum Kind: Equatable {
    case name
    case keyword
    case symbol
    /// Its text is what stands between the quotes, escapes as they are written.
    case string
    case number
  }

  package var kind: Kind
  package var text: String
  /// Counted from 1.
  package var line: Int

  package init(kind: Kind, text: String, line: Int) {
    self.kind = kind
    self.text = text
    self.line = line
  }

  /// Whether it is that keyword or sign.
  package func isWord(_ word: String) -> Bool {
    text == word && (kind == .keyword || kind == .symbol)
  }
}
