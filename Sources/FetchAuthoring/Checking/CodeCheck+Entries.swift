import FetchModel

/// The search for the functions of a plugin that fetchrun calls. Other functions may have the same
/// names, such as a local helper `fetch(url)`.
extension CodeCheck {
  /// The names of the plugin's functions whose first parameter is `ctx`.
  static let entries = ["fetch", Manifest.transferEntry]

  /// Returns the functions that the table returned by the file may have under the given name. The
  /// list is empty if the file does not define the function, or defines it in an unusual way.
  static func functions(_ entry: String, of names: LuaNames) -> [LuaNames.Function] {
    let tokens = names.tokens
    let places = fields(names).filter { tokens[$0].text == entry }
    return places.flatMap { place -> [LuaNames.Function] in
      let value = place + 2
      guard value < tokens.count, tokens[value - 1].isWord("=") else {
        // The field is in a statement such as `function plugin.fetch(`.
        return names.functions.filter { $0.body.lowerBound == place + 1 }
      }
      if tokens[value].isWord("function") {
        return names.functions.filter { $0.body.lowerBound == value + 1 }
      }
      return isWhole(tokens, value) ? variables(tokens[value].text, names) : []
    }
  }

  /// Returns the token indexes of the returned table's field names.
  private static func fields(_ names: LuaNames) -> [Int] {
    let tokens = names.tokens
    let end = tokens.indices.last { tokens[$0].isWord("return") && isOutside($0, names) }
    guard let start = end.map({ $0 + 1 }), start < tokens.count else { return [] }
    if tokens[start].isWord("{") { return keys(tokens, ofTableAt: start) }
    guard tokens[start].kind == .name else { return [] }
    let table = tokens[start].text
    return tokens.indices.dropLast(2).flatMap { place -> [Int] in
      guard tokens[place].kind == .name, tokens[place].text == table,
        place == 0 || ![".", ":"].contains(where: tokens[place - 1].isWord)
      else { return [] }
      if tokens[place + 1].isWord("=") {
        return tokens[place + 2].isWord("{") ? keys(tokens, ofTableAt: place + 2) : []
      }
      return tokens[place + 1].isWord(".") ? [place + 2] : []
    }
  }

  /// Whether the token at `place` is a name that no field, call, index, `and` or `or` follows. In
  /// `page.fetch` and `cached(…)`, the name is only the beginning of the value.
  static func isWhole(_ tokens: [LuaToken], _ place: Int) -> Bool {
    guard tokens[place].kind == .name, place + 1 < tokens.count else { return false }
    let next = tokens[place + 1]
    return next.kind != .string
      && ![".", ":", "(", "[", "{", "and", "or"].contains(where: next.isWord)
  }

  /// Returns the functions that are stored in variables of the given name.
  private static func variables(_ name: String, _ names: LuaNames) -> [LuaNames.Function] {
    names.functions.filter { function in
      let start = function.body.lowerBound
      guard function.name == name, isOutside(start - 1, names) else { return false }
      // `function fetch(` has the name before the parenthesis, `fetch = function(` before `=`.
      let before = names.tokens[start - 1].isWord("function") ? start - 4 : start - 2
      guard before >= 0 else { return true }
      return ![".", ":", "{", ","].contains(where: names.tokens[before].isWord)
    }
  }

  /// Whether the token at `place` is outside all functions.
  private static func isOutside(_ place: Int, _ names: LuaNames) -> Bool {
    !names.functions.contains { $0.body.contains(place) }
  }

  /// Returns the token indexes of the names that are keys of a table, such as `a` in `{ a = 1 }`.
  /// The table's brace is at `opening`.
  static func keys(_ tokens: [LuaToken], ofTableAt opening: Int) -> [Int] {
    starts(tokens, ofTableAt: opening).filter { place in
      tokens[place].kind == .name && place + 1 < tokens.count && tokens[place + 1].isWord("=")
    }
  }

  /// Returns the token indexes at which the entries of a table begin. The table's brace is at
  /// `opening`. The closing brace is included if it follows the opening brace or a comma.
  static func starts(_ tokens: [LuaToken], ofTableAt opening: Int) -> [Int] {
    var starts: [Int] = []
    var depth = 0
    for place in tokens.indices[opening...] {
      let token = tokens[place]
      if openers.contains(where: token.isWord) { depth += 1 }
      if closers.contains(where: token.isWord) { depth -= 1 }
      if depth == 0 { break }
      if depth == 1, ["{", ",", ";"].contains(where: token.isWord), place + 1 < tokens.count {
        starts.append(place + 1)
      }
    }
    return starts
  }

  private static let openers = ["{", "(", "[", "function", "do", "if", "repeat"]
  private static let closers = ["}", ")", "]", "end", "until"]
}
