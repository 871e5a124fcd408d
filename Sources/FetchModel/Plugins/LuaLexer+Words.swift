import FetchValues

extension LuaLexer {
  /// Words of other languages in the place of Lua's.
  private static let foreign = [
    "func": "function", "fun": "function", "fn": "function", "def": "function", "var": "local",
    "let": "local", "const": "local", "elif": "elseif", "elsif": "elseif",
  ]

  private static let words = keywords.sorted()

  /// The keyword that a name most likely stands for: a misspelt one, or that of another language.
  ///
  /// - Parameter bytesMin: shorter names stand for themselves: each is near some short keyword.
  package static func keyword(meantBy name: String, bytesMin: Int = 4) -> String? {
    if name.utf8.count < bytesMin { return nil }
    return foreign[name] ?? NearestName.of(name, among: words)
  }
}
