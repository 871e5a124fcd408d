import FetchModel
import FetchValues

/// Advice about invalid Lua. Examples are syntax of other languages, and a missing comma, which
/// Lua's parser may report on a line below the mistake.
struct SyntaxAdvice {
  private let lines: [Substring]
  private let tokens: [LuaToken]

  init(source: [UInt8]) {
    lines = String(decoding: source, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    tokens = LuaLexer.tokens(of: source)
  }

  /// Returns a clearer message and the line to change; nil if there is no advice.
  func better(_ message: String, line: Int) -> (message: String, line: Int)? {
    // Lua's message has the form `'then' expected near '='`.
    guard let near = message.ranges(of: " near ").last else { return nil }
    let found = message[near.upperBound...]
    let unquoted =
      found.hasPrefix("'") && found.hasSuffix("'") && found.count > 2
      ? String(found.dropFirst().dropLast()) : String(found)
    if let character = strangeCharacter(unquoted, line) { return (character, line) }
    let words = WordAdvice(tokens)
    // Lua's message has a token but not its column. The first such token on the line is taken as
    // the place of the error.
    let place =
      found == "<eof>"
      ? tokens.count : tokens.firstIndex { $0.line == line && isNear($0, unquoted) }
    if let place, let better = words.misspelt(message, at: place) {
      return better
    }
    if let comma = missingComma(message, near: unquoted, line) { return comma }
    let advice =
      advice(message, near: unquoted, line) ?? place.flatMap { words.missing(message, before: $0) }
    return advice.map { ("\(message); \($0)", line) }
  }

  // MARK: Characters

  private static let quotes: Set<Character> = ["“", "”", "„", "‟", "«", "»", "‘", "’", "‚", "´"]
  private static let dashes: Set<Character> = ["–", "—", "−", "‐", "‑"]

  /// Explains a character beyond ASCII. Lua's message contains only the character's first byte,
  /// such as `<\226>`.
  private func strangeCharacter(_ near: String, _ line: Int) -> String? {
    guard near.hasPrefix("<\\"), lines.indices.contains(line - 1),
      let found = Self.outsideTexts(lines[line - 1])
    else { return nil }
    if Self.quotes.contains(found) { return "\(found) is not a quotation mark in Lua: write \"" }
    if Self.dashes.contains(found) { return "\(found) is not a minus sign in Lua: write -" }
    let code = found.unicodeScalars.first.map { String($0.value, radix: 16, uppercase: true) } ?? ""
    let name = "U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code
    if found.isWhitespace
      || found.unicodeScalars.first?.properties.isDefaultIgnorableCodePoint == true
    {
      return "invisible character (\(name)): remove it or replace it with a space"
    }
    return
      "unexpected character \(found) (\(name)): outside strings and comments Lua allows only ASCII"
  }

  /// Returns the first character beyond ASCII that is neither in a quoted string nor after `--`;
  /// nil if there is none.
  private static func outsideTexts(_ line: Substring) -> Character? {
    var quote: Character?
    var previous: Character?
    for character in line {
      if quote == nil, character == "-", previous == "-" { return nil }
      if let open = quote {
        if character == open, previous != "\\" { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if !character.isASCII {
        return character
      }
      previous = character
    }
    return nil
  }

  // MARK: Commas

  /// Explains `'}' expected (to close '{' at line 3) near 'options'` if the previous field lacks a
  /// comma.
  private func missingComma(
    _ message: String, near: String, _ line: Int
  ) -> (message: String, line: Int)? {
    guard message.hasPrefix("'}' expected"),
      let place = tokens.indices.first(where: {
        tokens[$0].line == line && $0 > 0 && isNear(tokens[$0], near) && endsValue(tokens[$0 - 1])
      }), beginsField(tokens[place])
    else { return nil }
    let before = tokens[place - 1]
    if before.line < line {
      return ("a comma or '}' is missing at the end of this line", before.line)
    }
    return ("a comma or '}' is missing before '\(tokens[place].text)'", line)
  }

  /// Whether the parser's message refers to this token. In the message, a string has its quotes.
  private func isNear(_ token: LuaToken, _ near: String) -> Bool {
    token.kind == .string ? near.dropFirst().hasPrefix(token.text) : token.text == near
  }

  private func endsValue(_ token: LuaToken) -> Bool {
    switch token.kind {
    case .name, .string, .number: true
    case .keyword: ["end", "true", "false", "nil"].contains(token.text)
    case .symbol: [")", "]", "}", "..."].contains(token.text)
    }
  }

  private func beginsField(_ token: LuaToken) -> Bool {
    switch token.kind {
    case .name, .string, .number: true
    case .keyword: ["function", "true", "false", "nil", "not"].contains(token.text)
    case .symbol: ["{", "["].contains(token.text)
    }
  }

  // MARK: Other languages

  private func advice(_ message: String, near: String, _ line: Int) -> String? {
    let words = tokens.filter { $0.line == line }.map(\.text)
    let isCondition = ["if", "elseif", "while", "until"].contains { words.contains($0) }
    func has(_ first: String, _ second: String) -> Bool {
      zip(words, words.dropFirst()).contains { $0 == first && $1 == second }
    }
    switch near {
    case "!":
      return has("!", "=") ? "\"not equal\" is ~=" : "write `not` instead of !"
    case "=" where has("!", "="): return "\"not equal\" is ~="
    case "+", "-", "*", "/", "..", "=":
      if let advice = assignment(line) { return advice }
      return near == "=" && isCondition ? "compare with ==" : nil
    case "[" where message.hasPrefix("unexpected symbol"):
      return "a list is written { … }, not [ … ]"
    case "?": return "Lua has no operator ? : (write `CONDITION and VALUE or OTHER`)"
    case "end" where message.hasPrefix("'}' expected") || message.hasPrefix("'<eof>' expected"):
      return "is there one 'end' too many, here or above?"
    case "&" where has("&", "&"): return "write `and` instead of &&"
    case "|" where has("|", "|"): return "write `or` instead of ||"
    case ":" where message.hasPrefix("'}' expected"): return field(line)
    case "function" where message.hasPrefix("<name> expected") && has(":", "function"):
      return field(line, value: "function(…)")
    case _ where message.hasPrefix("unfinished string"):
      return "end the string on the same line, with the quote that begins it"
    case _ where message.hasPrefix("<name> expected") && has(":", near.filter { $0 != "\"" }):
      return field(line)
    case "//": return "a comment begins with --"
    case "<eof>", ",", "}", ")": return elseIf ?? MissingEnd(tokens, lines).advice(near, line)
    default: return nil
    }
  }

  /// Explains `count += 1`, `items += { … }` and `count++`.
  private func assignment(_ line: Int) -> String? {
    let tokens = tokens.filter { $0.line == line }
    guard
      let place = tokens.indices.dropLast().first(where: {
        let isTwice = tokens[$0].isWord("+") && tokens[$0 + 1].isWord("+")
        return isTwice
          || ["+", "-", "*", "/", ".."].contains(where: tokens[$0].isWord)
            && tokens[$0 + 1].isWord("=")
      }), place > 0
    else { return nil }
    let operation = tokens[place].text
    let name = LuaExpression(tokens, endingAt: place - 1)?.text ?? "x"
    if tokens[place + 1].isWord("+") { return "Lua has no ++; write \(name) = \(name) + 1" }
    let isEntry = place + 2 < tokens.count && tokens[place + 2].isWord("{")
    let better =
      isEntry && operation == "+"
      ? "\(name)[#\(name) + 1] = …" : "\(name) = \(name) \(operation) …"
    return "Lua has no \(operation)=; write \(better)"
  }

  /// Explains `api: 1`, the syntax of a field in other languages.
  private func field(_ line: Int, value: String = "…") -> String? {
    let tokens = tokens.filter { $0.line == line }
    guard let colon = tokens.firstIndex(where: { $0.isWord(":") }), colon > 0 else { return nil }
    let key = tokens[colon - 1]
    let name = key.kind == .name ? key.text : "[\"\(key.text)\"]"
    return "write = instead of the colon: \(name) = \(value)"
  }

  /// The advice about `else if`, which opens a second `if` that needs its own `end`.
  private var elseIf: String? {
    for (place, token) in tokens.enumerated().dropFirst()
    where token.isWord("if") && tokens[place - 1].isWord("else")
      && tokens[place - 1].line == token.line
    {
      return "line \(token.line) has 'else if': did you mean elseif?"
    }
    return nil
  }
}
