import FetchModel
import FetchValues

extension Failure {
  /// Returns the failure of a refused item, with the line of the plugin's file that sets the
  /// refused field. Searches the file's text, because Lua gives no line for items in the list that
  /// `fetch` returns. The failure stays unchanged if the text does not set the field exactly once.
  /// Other failures also stay unchanged.
  func placed(in source: PluginSource) -> Failure {
    guard code == .invalidItem || code == .invalidValue, file == nil, message.hasPrefix("item "),
      let name = message.split(separator: "'", maxSplits: 2).dropFirst().first.map(String.init)
    else { return self }
    let tokens = LuaLexer.tokens(of: source.text)
    let lines = zip(tokens, tokens.dropFirst()).filter { key, sign in
      key.kind == .name && key.text == name && sign.isWord("=")
    }.map(\.0.line)
    guard lines.count == 1 else { return self }
    var placed = self
    (placed.file, placed.line) = (source.fileName, lines[0])
    return placed
  }
}
