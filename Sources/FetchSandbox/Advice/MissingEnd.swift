import FetchModel

/// A search for the block whose `end` is missing, based on the indentation of the lines.
///
/// Lua reports the first token that no longer fits, which may be many lines after the block.
struct MissingEnd {
  private let tokens: [LuaToken]
  private let lines: [Substring]

  init(_ tokens: [LuaToken], _ lines: [Substring]) {
    self.tokens = tokens
    self.lines = lines
  }

  private struct Opener {
    var word: String
    var line: Int
    /// Whether the keyword opens a block that `end` closes.
    var isBlock: Bool
  }

  /// Returns the advice about an unexpected token. Returns nil unless, at the token or at a later
  /// place, the innermost open block or bracket is a block that `end` closes.
  func advice(_ near: String, _ line: Int) -> String? {
    var open: [Opener] = []
    var suspect: Opener?
    // The number of `for` and `while` loops whose `do` has not been read. This `do` opens no
    // further block.
    var loops = 0
    for token in tokens {
      if near != "<eof>", token.line >= line, token.line > line || token.isWord(near),
        open.last?.isBlock == true
      {
        break
      }
      switch (token.kind, token.text) {
      case (.symbol, "("), (.symbol, "["), (.symbol, "{"):
        open.append(Opener(word: token.text, line: token.line, isBlock: false))
      case (.symbol, ")"), (.symbol, "]"), (.symbol, "}"):
        if open.last?.isBlock == false { open.removeLast() }
      case (.keyword, "for"), (.keyword, "while"):
        open.append(Opener(word: token.text, line: token.line, isBlock: true))
        loops += 1
      case (.keyword, "do"):
        if loops > 0 {
          loops -= 1
        } else {
          open.append(Opener(word: "do", line: token.line, isBlock: true))
        }
      case (.keyword, "function"), (.keyword, "if"):
        open.append(Opener(word: token.text, line: token.line, isBlock: true))
      case (.keyword, "repeat"):
        open.append(Opener(word: "repeat", line: token.line, isBlock: false))
      case (.keyword, "until"):
        if open.last?.word == "repeat" { open.removeLast() }
      case (.keyword, "end"):
        guard let opener = open.last, opener.isBlock else { break }
        open.removeLast()
        if suspect == nil, opener.line < token.line, isFirst(token),
          indentation(opener.line) > indentation(token.line)
        {
          suspect = opener
        }
      default: break
      }
    }
    guard let last = open.last, last.isBlock else { return nil }
    if let suspect {
      return "by the indentation, the '\(suspect.word)' at line \(suspect.line) has no 'end'"
    }
    if near == "<eof>" { return "an 'end' is missing at or before this line" }
    return "is an 'end' missing at or before this line?"
  }

  private func isFirst(_ token: LuaToken) -> Bool {
    lines.indices.contains(token.line - 1)
      && lines[token.line - 1].drop(while: \.isWhitespace).hasPrefix(token.text)
  }

  private func indentation(_ line: Int) -> Int {
    guard lines.indices.contains(line - 1) else { return 0 }
    return lines[line - 1].prefix(while: \.isWhitespace).count
  }
}
