/// A word or sign of a Lua text.
struct LuaToken: Equatable {
  enum Kind: Equatable {
    case name
    case keyword
    case symbol
    /// Its text is what stands between the quotes, escapes as they are written.
    case string
    case number
  }

  var kind: Kind
  var text: String
  /// Counted from 1.
  var line: Int

  /// Whether it is that keyword or sign.
  func isWord(_ word: String) -> Bool { text == word && (kind == .keyword || kind == .symbol) }
}
