import FetchEngine
import FetchModel
import FetchValues

/// The check for a `fetch` without a result, for dates that are numbers, and for secrets that the
/// manifest does not request.
extension CodeCheck {
  // MARK: Nothing is returned

  /// Finds a `fetch` function that probably neither returns nor emits items, for example because
  /// `return items` is missing.
  ///
  /// - Parameter libraries: the files that the plugin requires. A function in one of these files
  ///   may receive `ctx` and emit items.
  static func withoutResult(_ names: LuaNames, libraries: [LuaNames]) -> [Finding] {
    let tokens = names.tokens
    guard !emits(names) else { return [] }
    let isEmitter = libraries.contains(where: emits)
    return functions(entries[0], of: names).compactMap { function in
      let nested = names.functions.map(\.body).filter {
        $0 != function.body && function.body.overlaps($0)
          && $0.lowerBound > function.body.lowerBound
      }
      let own = function.body.filter { place in !nested.contains { $0.contains(place) } }
      guard !own.contains(where: { returnsValue(tokens, $0, function.body) }),
        !(isEmitter && handsOver(function, tokens))
      else { return nil }
      let line = tokens[max(0, function.body.lowerBound - 1)].line
      return (
        line, "fetch returns no items and emits none: is `return items` missing at its end?"
      )
    }
  }

  /// Whether the file contains the name `emit`, `transfer` or `complete`. A `fetch` that calls such
  /// a function need not return items.
  private static func emits(_ names: LuaNames) -> Bool {
    let methods = ["emit", "transfer", "complete"]
    return names.tokens.contains { $0.kind == .name && methods.contains($0.text) }
  }

  /// Whether the token at `place` is a `return` with a value, as in `return items`. The values
  /// `nil` and `false` do not count, but `nil or items` does.
  private static func returnsValue(_ tokens: [LuaToken], _ place: Int, _ body: Range<Int>) -> Bool {
    guard tokens[place].isWord("return"), place + 1 < body.upperBound else { return false }
    let next = tokens[place + 1]
    if next.isWord("nil") || next.isWord("false") {
      return place + 2 < body.upperBound && tokens[place + 2].isWord("or")
    }
    return !["end", "else", "elseif", "until", ";"].contains { next.isWord($0) }
  }

  /// Whether the function passes on `ctx` as a whole, as in `helper(ctx)` or `local c = ctx`.
  private static func handsOver(_ function: LuaNames.Function, _ tokens: [LuaToken]) -> Bool {
    guard let context = function.parameters.first else { return false }
    // The body begins with the parameters in parentheses.
    let code = function.body.dropFirst(2 * function.parameters.count + 1)
    return code.contains { place in
      guard tokens[place].kind == .name, tokens[place].text == context, place + 1 < tokens.count
      else { return false }
      return !tokens[place + 1].isWord(".") && !tokens[place + 1].isWord(":")
        && !tokens[place - 1].isWord(".")
    }
  }

  // MARK: Dates

  /// Finds dates that are numbers, as in `published = 1700000000`. An item's dates must be strings.
  /// Only a table with `id` or `url` counts as an item, because other tables may have such numbers.
  static func numbersForDates(_ names: LuaNames) -> [Finding] {
    let tokens = names.tokens
    return tokens.indices.filter { tokens[$0].isWord("{") }.flatMap { opening -> [Finding] in
      let fields = keys(tokens, ofTableAt: opening)
      guard fields.contains(where: { ["id", "url"].contains(tokens[$0].text) }) else { return [] }
      return fields.compactMap { place -> Finding? in
        let name = tokens[place].text
        guard ["published", "updated"].contains(name), let value = number(tokens, place + 2)
        else { return nil }
        return (
          tokens[place].line,
          "in items, \(name) must be a string with a date: write time.format(\(value))"
        )
      }
    }
  }

  private static func number(_ tokens: [LuaToken], _ place: Int) -> String? {
    guard place < tokens.count else { return nil }
    let token = tokens[place]
    if token.kind == .number {
      let isEnd =
        place + 1 >= tokens.count || [",", ";", "}"].contains(where: tokens[place + 1].isWord)
      return isEnd ? token.text : nil
    }
    let call = tokens[place...].prefix(5).map(\.text)
    return call == ["time", ".", "now", "(", ")"] ? "time.now()" : nil
  }

  // MARK: Secrets

  /// Finds the name of a secret that the manifest does not request, as in `ctx:secret("tokne")`.
  static func secretProblem(
    _ names: LuaNames, _ place: Int, _ manifest: Manifest
  ) -> Finding? {
    let tokens = names.tokens
    var next = place + 1
    if next < tokens.count, tokens[next].isWord("(") { next += 1 }
    guard next < tokens.count, tokens[next].kind == .string else { return nil }
    let (name, line) = (tokens[next].text, tokens[next].line)
    let asked = manifest.permissions.secrets.map(\.name).sorted()
    if asked.contains(name) { return nil }
    let there =
      asked.isEmpty
      ? "add it to permissions.secrets, with the hosts that may receive it"
      : "it asks for " + asked.joined(separator: ", ")
    return (
      line,
      "the manifest does not ask for the secret '\(name)'\(NearestName.hint(name, among: asked)); "
        + there
    )
  }
}
