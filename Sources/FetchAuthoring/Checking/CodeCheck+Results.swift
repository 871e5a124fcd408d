import FetchEngine
import FetchModel
import FetchValues

/// The check for values that a run rejects: results of `fetch`, arguments of `ctx:emit`, and
/// request options. It also finds responses that are not used.
extension CodeCheck {
  /// Finds results of `fetch` that are not lists of items, such as `return "text"` and
  /// `return { id = 1 }`.
  static func wrongResults(_ names: LuaNames) -> [Finding] {
    let tokens = names.tokens
    return functions(entries[0], of: names).flatMap { function in
      let nested = names.functions.map(\.body).filter {
        function.body.overlaps($0) && $0.lowerBound > function.body.lowerBound
      }
      return function.body.compactMap { place -> Finding? in
        guard tokens[place].isWord("return"), !nested.contains(where: { $0.contains(place) }) else {
          return nil
        }
        if let kind = wrongEntry(tokens, after: place) {
          return (
            tokens[place].line,
            "item 1 is a \(kind); an item is a table such as { id = …, title = …, url = … }"
          )
        }
        guard let what = wrongResult(tokens, after: place) else { return nil }
        return (tokens[place].line, "fetch returns " + what)
      }
    }
  }

  /// Returns the kind of the first entry of a returned list if the entry is a literal other than a
  /// table, as in `return { "one", "two" }`.
  private static func wrongEntry(_ tokens: [LuaToken], after place: Int) -> String? {
    guard place + 3 < tokens.count, tokens[place + 1].isWord("{"),
      ends(tokens[place + 3], [",", ";", "}"])
    else { return nil }
    return kind(of: tokens[place + 2])
  }

  private static func wrongResult(_ tokens: [LuaToken], after place: Int) -> String? {
    guard place + 2 < tokens.count else { return nil }
    let (first, second) = (tokens[place + 1], tokens[place + 2])
    if first.isWord("{"), second.kind == .name, place + 3 < tokens.count,
      tokens[place + 3].isWord("=")
    {
      return "a table with named fields; it must return a list of items: { item, ... }"
    }
    guard let kind = kind(of: first), ends(second, ["end", "else", "elseif", "until", ";"]) else {
      return nil
    }
    return "a \(kind); it must return a list of items, nothing, or nil and a message"
  }

  /// Returns the kind of a literal that is neither `nil`, `false` nor a table; nil for any other
  /// token.
  private static func kind(of token: LuaToken) -> String? {
    switch token.kind {
    case .string: "string"
    case .number: "number"
    case .keyword where token.text == "true": "boolean"
    default: nil
    }
  }

  private static func ends(_ token: LuaToken, _ words: [String]) -> Bool {
    words.contains(where: token.isWord)
  }

  /// Finds arguments of `ctx:emit` that are not one item, as in `ctx:emit("x")` and
  /// `ctx:emit { { … }, { … } }`.
  static func emitProblem(_ names: LuaNames, _ place: Int) -> Finding? {
    let tokens = names.tokens
    var next = place + 1
    if next < tokens.count, tokens[next].isWord("(") { next += 1 }
    guard next + 1 < tokens.count else { return nil }
    let (first, second) = (tokens[next], tokens[next + 1])
    let isWhole = next == place + 1 || second.isWord(")")
    switch first.kind {
    case .string where isWhole: return (first.line, notAnItem("string"))
    case .number where isWhole: return (first.line, notAnItem("number"))
    case .keyword where isWhole && ["true", "false"].contains(first.text):
      return (first.line, notAnItem("boolean"))
    case .keyword where isWhole && first.text == "nil": return (first.line, notAnItem("nil"))
    case .symbol where first.text == "{" && second.isWord("{"):
      return (
        first.line,
        "emit needs one item, got a table with list entries; emit the items of a list one by one"
      )
    default: return nil
    }
  }

  private static func notAnItem(_ kind: String) -> String {
    "emit needs an item (a table), got " + (kind == "nil" ? kind : "a \(kind)")
  }

  /// Finds requests whose result is not used, such as `http.post(…)` as a statement. If such a
  /// request is refused or fails, the plugin does not notice.
  static func unusedResponses(_ names: LuaNames) -> [Finding] {
    let tokens = names.tokens
    return names.used.compactMap { place in
      guard names.modules[tokens[place].text] == "http", let member = names.member(of: place),
        place > 0, endsStatement(tokens[place - 1]), member + 1 < tokens.count,
        tokens[member + 1].isWord("("), let end = closing(tokens, member + 1),
        end + 1 >= tokens.count || ![".", ":", "["].contains(where: tokens[end + 1].isWord)
      else { return nil }
      let call = "\(tokens[place].text).\(tokens[member].text)"
      return (
        tokens[place].line,
        "the result of \(call) is not used, so a failure goes unnoticed:"
          + " write local response, problem = \(call)(…)"
      )
    }
  }

  /// Whether a new statement may begin after the token.
  private static func endsStatement(_ token: LuaToken) -> Bool {
    switch token.kind {
    case .name, .string, .number: true
    case .keyword:
      ["do", "then", "else", "repeat", "end", "nil", "true", "false", "break"].contains(token.text)
    case .symbol: [";", ")", "]", "}"].contains(token.text)
    }
  }

  /// Returns the index of the parenthesis that closes the parenthesis at `opening`; nil if there is
  /// none.
  private static func closing(_ tokens: [LuaToken], _ opening: Int) -> Int? {
    var depth = 0
    for place in tokens.indices[opening...] {
      if tokens[place].isWord("(") { depth += 1 }
      if tokens[place].isWord(")") { depth -= 1 }
      if depth == 0 { return place }
    }
    return nil
  }

  /// Finds unknown names in a table of request options, as in `http.get(url, { header = … })`.
  static func strangeOptions(
    _ tokens: [LuaToken], from start: Int, of function: String
  ) -> [Finding] {
    let known = PluginInterface.requestOptions.fields.flatMap(\.names).sorted()
    return keys(tokens, ofTableAt: start).map { tokens[$0] }
      .filter { !known.contains($0.text) }
      .map { name in
        (
          name.line,
          "\(function): unknown option '\(name.text)'\(NearestName.hint(name.text, among: known));"
            + " the options are \(known.joined(separator: ", "))"
        )
      }
  }
}
