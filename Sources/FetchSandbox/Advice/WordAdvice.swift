import FetchModel

/// A search for misspelt or missing Lua keywords. Lua's parser often reports only a token after the
/// mistake.
struct WordAdvice {
  private let tokens: [LuaToken]
  private let names: LuaNames

  init(_ tokens: [LuaToken]) {
    self.tokens = tokens
    names = LuaNames(tokens)
  }

  // MARK: Misspelt words

  /// Returns advice about a misspelt keyword or `continue`, with its line; nil if neither is found.
  /// `place` is the index of the token that Lua's message names. For the end of the text, `place`
  /// is the number of tokens.
  func misspelt(_ message: String, at place: Int) -> (message: String, line: Int)? {
    var found: (LuaToken, String)?
    if message.hasPrefix("syntax error"), place > 0, tokens[place - 1].kind == .name,
      tokens[place - 1].text == "continue"
    {
      let advice = "Lua has no continue; put the rest of the loop into an if"
      return ("\(message); \(advice)", tokens[place - 1].line)
    }
    if message.hasPrefix("syntax error"), place > 0, let word = meant(at: place - 1),
      !isVariable(place - 1)
    {
      found = (tokens[place - 1], word)
    } else if let word = meant(at: place), Self.expects(word, message), !isVariable(place) {
      found = (tokens[place], word)
    } else if message.contains("expected") || message.hasPrefix("unexpected symbol") {
      found = misspeltFunction(before: place).map { ($0, "function") }
    }
    return found.map { token, word in
      ("\(message); unknown word '\(token.text)': did you mean `\(word)`?", token.line)
    }
  }

  /// Whether Lua's message says that it expected the keyword. The keywords `else` and `elseif` also
  /// count as expected if the message says that Lua expected `end`.
  private static func expects(_ word: String, _ message: String) -> Bool {
    message.hasPrefix("'\(word)' expected")
      || ["else", "elseif"].contains(word) && message.hasPrefix("'end' expected")
  }

  private func meant(at place: Int) -> String? {
    guard place < tokens.count, tokens[place].kind == .name, !isMember(place) else { return nil }
    return LuaLexer.keyword(meantBy: tokens[place].text, bytesMin: 2)
  }

  /// Whether the plugin's text declares or assigns the name at `place`.
  private func isVariable(_ place: Int) -> Bool {
    let name = tokens[place].text
    return names.declared[name] != nil || names.assigned.contains(name)
  }

  private func isMember(_ place: Int) -> Bool {
    place > 0 && [".", ":"].contains(where: tokens[place - 1].isWord)
  }

  /// Finds `fetch = funtcion(ctx)` or `local funtcion f()`: both are valid Lua up to the end of the
  /// function's body.
  private func misspeltFunction(before end: Int) -> LuaToken? {
    let place = tokens[..<end].indices.first { place in
      meant(at: place) == "function" && (isCalled(place) || isNamed(place, before: end))
    }
    return place.map { tokens[$0] }
  }

  private func isCalled(_ place: Int) -> Bool {
    !isVariable(place) && place + 1 < tokens.count && tokens[place + 1].isWord("(")
  }

  /// Whether `NAME(` follows on the same line.
  private func isNamed(_ place: Int, before end: Int) -> Bool {
    place + 2 < end && tokens[place + 1].kind == .name && tokens[place + 2].isWord("(")
      && tokens[place + 2].line == tokens[place].line
  }

  // MARK: Missing words

  /// Returns advice with the line of the condition or loop that lacks `then` or `do`; nil if there
  /// is none. `end` is the index of the token that Lua's message names.
  func missing(_ message: String, before end: Int) -> String? {
    let (word, openers) =
      message.hasPrefix("'then' expected")
      ? ("then", ["if", "elseif"]) : ("do", ["for", "while"])
    guard message.hasPrefix("'\(word)' expected") else { return nil }
    // A function inside the condition may contain `then` or `do` as well.
    var closedCount = 0
    for token in tokens[..<end].reversed() where token.kind == .keyword {
      if token.text == word { closedCount += 1 }
      guard openers.contains(token.text) else { continue }
      if closedCount == 0 {
        return "the '\(token.text)' at line \(token.line) has no '\(word)' before this place"
      }
      closedCount -= 1
    }
    return nil
  }
}
