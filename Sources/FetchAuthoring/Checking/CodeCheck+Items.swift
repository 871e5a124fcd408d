import FetchModel

/// The check for literal fields of items that cannot be right, such as `url = "no url"`.
extension CodeCheck {
  /// The maximum number of characters of a field's text in a message.
  private static let shownCountMax = 40

  /// Finds dates that are not in RFC 3339 and texts that are not addresses. Checks only literals in
  /// tables that are items for certain: see `itemTables`.
  static func wrongFields(_ names: LuaNames) -> [Finding] {
    let tokens = names.tokens
    return itemTables(names).flatMap { opening in
      keys(tokens, ofTableAt: opening).compactMap { place -> Finding? in
        let name = tokens[place].text
        guard let text = literal(tokens, place + 2), let wanted = wanted(name, text) else {
          return nil
        }
        return (
          tokens[place].line,
          "in items, \(name) must be \(wanted), got '\(text.prefix(shownCountMax))'"
        )
      }
    }
  }

  /// Returns what the field must contain if the text is wrong; nil if the text may be right.
  private static func wanted(_ name: String, _ text: String) -> String? {
    switch name {
    case "published", "updated":
      text.isEmpty || ItemText.isDate(text)
        ? nil : "a date in RFC 3339, such as 2026-11-20T10:00:00Z"
    case "url": ItemText.mayBeAddress(text) ? nil : "an address such as https://example.org/1"
    default: nil
    }
  }

  /// Returns the text of a string that is a whole value in a table; nil for any other value, and
  /// for a string with escapes or in long brackets.
  static func literal(_ tokens: [LuaToken], _ place: Int) -> String? {
    guard place + 1 < tokens.count, tokens[place].kind == .string,
      [",", ";", "}"].contains(where: tokens[place + 1].isWord),
      !tokens[place].text.contains("\\"), !tokens[place].text.hasPrefix("[")
    else { return nil }
    return tokens[place].text
  }

  /// Returns the token indexes of the braces of tables that are items: those in a list that `fetch`
  /// returns or fills, and the arguments of `ctx:emit`.
  private static func itemTables(_ names: LuaNames) -> [Int] {
    let tokens = names.tokens
    return functions(entries[0], of: names).flatMap { function -> [Int] in
      let nested = names.functions.map(\.body).filter {
        function.body.overlaps($0) && $0.lowerBound > function.body.lowerBound
      }
      let returned = function.body.filter { place in
        tokens[place - 1].isWord("return") && !nested.contains { $0.contains(place) }
      }
      let lists = returned.filter { tokens[$0].isWord("{") }
        .flatMap { starts(tokens, ofTableAt: $0) }
      let variables = Set(returned.filter { isWhole(tokens, $0) }.map { tokens[$0].text })
      let added = function.body.compactMap { place in
        addedTable(tokens, place, to: variables, context: function.parameters.first)
      }
      return (lists + added).filter { tokens[$0].isWord("{") }
    }
  }

  /// Returns the token index after the beginning of `ctx:emit {`, `items[#items + 1] = {` or
  /// `table.insert(items, {`, for a list in `lists`; nil if none of these begins at `place`.
  private static func addedTable(
    _ tokens: [LuaToken], _ place: Int, to lists: Set<String>, context: String?
  ) -> Int? {
    func follows(_ words: [String]) -> Int? {
      let end = place + words.count
      return end < tokens.count && tokens[place..<end].map(\.text) == words ? end : nil
    }
    let name = tokens[place].text
    guard tokens[place].kind == .name, place == 0 || !tokens[place - 1].isWord(".") else {
      return nil
    }
    if name == context {
      return follows([name, ":", "emit"]).map { tokens[$0].isWord("(") ? $0 + 1 : $0 }
        .flatMap { $0 < tokens.count ? $0 : nil }
    }
    if lists.contains(name) { return follows([name, "[", "#", name, "+", "1", "]", "="]) }
    guard name == "table", place + 4 < tokens.count, lists.contains(tokens[place + 4].text) else {
      return nil
    }
    return follows(["table", ".", "insert", "(", tokens[place + 4].text, ","])
  }
}
