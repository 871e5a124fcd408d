import FetchModel
import FetchValues
import LuaVM

/// The source texts of a plugin's files, by the file names in Lua's messages.
struct PluginTexts {
  private let texts: [String: [UInt8]]

  init(_ source: PluginSource) {
    var texts = [source.fileName: source.text]
    for library in source.libraries { texts[library.fileName] = library.text }
    self.texts = texts
  }

  /// Returns the failure of the plugin's code with a clearer message if there is advice; otherwise
  /// the unchanged failure.
  func explained(_ failure: LuaFailure, in lua: LuaRun) -> LuaFailure {
    guard failure.code == nil, let file = failure.file, let line = failure.line,
      NilAdvice.concerns(failure.message), let text = texts[file]
    else { return failure }
    var failure = failure
    let tokens = LuaLexer.tokens(of: text)
    if let hint = Self.hint(failure.message, tokens) {
      failure.message += hint
      return failure
    }
    let advice = NilAdvice(tokens: tokens, line: line) { LuaSight(of: $0, in: lua) }
    failure.message = advice.message(for: failure.message) ?? failure.message
    return failure
  }

  /// Returns the failure of a text that is not valid Lua, with advice if there is any; otherwise
  /// the unchanged failure.
  static func explained(_ failure: LuaFailure, text: [UInt8]) -> LuaFailure {
    guard let line = failure.line,
      let better = SyntaxAdvice(source: text).better(failure.message, line: line)
    else { return failure }
    var explained = failure
    (explained.message, explained.line) = better
    return explained
  }

  /// Returns a suggestion of a local name or a keyword; nil if none is similar. Lua's message
  /// itself suggests only globals.
  private static func hint(_ message: String, _ tokens: [LuaToken]) -> String? {
    let start = "undefined global '"
    guard message.hasPrefix(start), message.hasSuffix("'") else { return nil }
    let name = String(message.dropFirst(start.count).dropLast())
    let declared = LuaNames(tokens).declared.keys.sorted()
    let meant = NearestName.of(name, among: declared) ?? LuaLexer.keyword(meantBy: name)
    return meant.map { ": did you mean '\($0)'?" }
  }
}
