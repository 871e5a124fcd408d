import FetchModel
import FetchValues

/// The advice that rewrites Lua's messages about nil and about values of a wrong type. Most new
/// messages contain the expression from the plugin's code. For `cells[1]`, Lua itself reports only
/// `attempt to index a nil value (field 'integer index')`.
struct NilAdvice {
  /// The tokens of the file with the error.
  let tokens: [LuaToken]
  let line: Int
  /// The function that returns a description of the value at a path of names and keys.
  let sight: ([Value]) -> LuaSight?

  /// Whether there may be advice about this message.
  static func concerns(_ message: String) -> Bool {
    ["attempt to ", "bad argument #1 to '", "undefined global '"].contains { message.hasPrefix($0) }
  }

  /// Returns a clearer message; nil if there is none, so that Lua's own message is kept.
  func message(for message: String) -> String? {
    walked(message) ?? texts(message) ?? tableCalled(message) ?? used(message)
  }

  // MARK: ipairs(nil)

  /// The functions for which the advice replaces Lua's message about the first argument. Each entry
  /// contains the function's name, the type that Lua's message names, and the words that replace
  /// this type. `find` is both a method of nodes and `string.find`.
  private static let named = [
    ("ipairs", "table", "a list"), ("pairs", "table", "a table"), ("css", "string", "a string"),
    ("css_first", "string", "a string"), ("find", "string", "a string"),
    ("select", "string", "a string"), ("attr", "string", "a string"),
  ]

  private func walked(_ message: String) -> String? {
    for (function, type, wanted) in Self.named {
      let start = "bad argument #1 to '\(function)' (\(type) expected, got "
      guard message.hasPrefix(start) else { continue }
      let kind = message.dropFirst(start.count).dropLast()
      let got = kind == "light userdata" ? "null" : kind == "no value" ? "nil" : String(kind)
      let head =
        "\(function) got \(got == "nil" || got == "null" ? got : "a " + got) instead of \(wanted)"
      guard let argument = argument(of: function) else { return head }
      guard got == "nil" else {
        return "\(head): \(argument.text) is \(got == "null" ? "null" : "a " + got)"
      }
      return "\(head): \(reason(argument) ?? "\(argument.text) is nil")"
    }
    return nil
  }

  /// Returns the argument of the function's call on the line of the error. Returns nil unless the
  /// function's name occurs exactly once on this line, followed by one expression in parentheses.
  private func argument(of function: String) -> LuaExpression? {
    let calls = tokens.indices.filter {
      tokens[$0].line == line && tokens[$0].kind == .name && tokens[$0].text == function
    }
    guard calls.count == 1, let call = calls.first, call + 1 < tokens.count,
      tokens[call + 1].isWord("(")
    else { return nil }
    let opening = call + 1
    guard
      let closing = tokens.indices[opening...].prefix(LuaExpression.tokensMax).first(where: {
        tokens[$0].isWord(")") && LuaExpression.opening(tokens, $0) == opening
      }), closing > opening + 1
    else { return nil }
    guard let argument = LuaExpression(tokens, endingAt: closing - 1),
      LuaExpression.length(tokens, endingAt: closing - 1) == closing - 1 - opening
    else { return nil }
    return argument
  }

  // MARK: A table that is called

  /// Explains `for row in rows do`, which calls the list, and `rss(ctx)`, which calls the table of
  /// a required file.
  private func tableCalled(_ message: String) -> String? {
    let start = "attempt to call a table value ("
    guard message.hasPrefix(start) else { return nil }
    let hint = message.dropFirst(start.count)
    if hint.hasPrefix("for iterator") { return loop }
    guard let name = hint.split(separator: "'").dropFirst().first.map(String.init),
      let module = LuaNames(tokens).modules[name]
    else { return nil }
    let names = sight([.string(name)])?.names ?? []
    let call = names.contains("fetch") ? "\(name).fetch(ctx)" : "one of its functions"
    return "\(name) is a table, the result of require \"\(module)\": call \(call)"
  }

  private var loop: String {
    let words = tokens.indices.filter { tokens[$0].line == line }
    let loops = words.filter { tokens[$0].isWord("in") }
    guard loops.count == 1, let place = loops.first, place > 0,
      let end = words.first(where: { $0 > place && tokens[$0].isWord("do") }),
      let list = LuaExpression(tokens, endingAt: end - 1),
      LuaExpression.length(tokens, endingAt: end - 1) == end - 1 - place
    else { return "a table cannot be iterated directly: use ipairs(…) or pairs(…)" }
    let loop = "for _, \(tokens[place - 1].text) in ipairs(\(list.text)) do"
    return "\(list.text) is a table: to iterate over a list, write \(loop)"
  }

  // MARK: "a" + "b", "a" < 1

  private func texts(_ message: String) -> String? {
    let kinds = message.split(separator: " ").filter { ["number", "string"].contains($0) }
    if message.hasPrefix("attempt to compare "), Set(kinds).count == 2 {
      return message + "; to compare numbers, convert the string with tonumber(…)"
    }
    guard message.hasPrefix("attempt to add a ") && message.contains("'string'") else { return nil }
    return message + "; join strings with .."
  }

  // MARK: A nil that is used

  private enum Use: String, CaseIterable {
    case index = "attempt to index a nil value"
    case call = "attempt to call a nil value"
    case arithmetic = "attempt to perform arithmetic on a nil value"
    case concatenation = "attempt to concatenate a nil value"
    case length = "attempt to get length of a nil value"

    func sentence(_ value: String) -> String {
      switch self {
      case .index: "\(value) is nil"
      case .call: "\(value) is nil, but only a function can be called"
      case .arithmetic: "\(value) is nil and cannot be used in arithmetic"
      case .concatenation: "\(value) is nil and cannot be joined to a string"
      case .length: "\(value) is nil and has no length"
      }
    }
  }

  private func used(_ message: String) -> String? {
    guard let use = Use.allCases.first(where: { message.hasPrefix($0.rawValue) }) else {
      return nil
    }
    let found = expressions(String(message.dropFirst(use.rawValue.count)), use)
    guard let expression = found.first else { return nil }
    if found.count > 1 {
      return found.count <= 3
        ? found.map(\.text).joined(separator: " or ") + " is nil" : nil
    }
    if case .call = expression.end { return "\(expression.text) returned nil" }
    if use == .call, let appending = appending(expression) { return appending }
    let reason = reason(expression).map { ": " + $0 } ?? ""
    if case .method(let name) = expression.end, let owner = expression.owner {
      return reason.isEmpty ? "\(owner) has no method '\(name)'" : String(reason.dropFirst(2))
    }
    return use.sentence(expression.text) + reason
  }

  /// The names of functions that add to a list in other languages.
  private static let appendingNames = ["add", "append", "insert", "push"]

  /// Explains `items.append(item)`.
  private func appending(_ expression: LuaExpression) -> String? {
    guard let owner = expression.owner else { return nil }
    let seen = expression.ownerPath.flatMap(sight)
    guard seen == nil || seen?.type == "table" && seen?.names.isEmpty == true else { return nil }
    switch expression.end {
    case .field(let name) where Self.appendingNames.contains(name),
      .method(let name) where Self.appendingNames.contains(name):
      return "\(owner) has no function '\(name)': write \(owner)[#\(owner) + 1] = …"
    default: return nil
    }
  }

  /// The maximum number of places on a line that are searched.
  private static let placesMax = 200

  /// Returns the expressions that Lua's hint ` (field 'items')` can mean. The result is the first
  /// expression on the line that is known to be nil, otherwise all candidates.
  private func expressions(_ hint: String, _ use: Use) -> [LuaExpression] {
    let words = hint.split(separator: "'", maxSplits: 1)
    let kind = words.first.map(String.init) ?? ""
    let name = words.count == 2 ? String(words[1].dropLast(2)) : ""
    switch kind {
    case " (local ", " (upvalue ", " (global ":
      return LuaExpression([LuaToken(kind: .name, text: name, line: line)], endingAt: 0)
        .map { [$0] } ?? []
    default: break
    }
    let found = tokens.indices.filter { tokens[$0].line == line && follows($0, use) }
      .prefix(Self.placesMax).compactMap { LuaExpression(tokens, endingAt: $0) }
      .filter { fits($0, kind, name) }
    var different: [LuaExpression] = []
    for one in found where !different.contains(one) { different.append(one) }
    guard different.count > 1, let first = different.first(where: isKnownNil) else {
      return different
    }
    return [first]
  }

  private func isKnownNil(_ expression: LuaExpression) -> Bool {
    guard let seen = expression.ownerPath.flatMap(sight), seen.type == "table" else { return false }
    switch expression.end {
    case .index(let number): return seen.count < number
    case .field(let name): return !seen.names.contains(name) && !seen.names.isEmpty
    default: return false
    }
  }

  /// Whether the token after `place` uses the expression as `use` describes. The token is checked
  /// only for `index` and `call`. For other uses, the result is true.
  private func follows(_ place: Int, _ use: Use) -> Bool {
    guard use == .index || use == .call else { return true }
    guard place + 1 < tokens.count else { return false }
    let next = tokens[place + 1]
    switch use {
    case .index: return [".", ":", "["].contains { next.isWord($0) }
    default: return next.isWord("(") || next.isWord("{") || next.kind == .string
    }
  }

  private func fits(_ expression: LuaExpression, _ kind: String, _ name: String) -> Bool {
    switch (kind, expression.end) {
    case (" (field ", .field(let field)): field == name
    case (" (field ", .index): name == "?" || name == "integer index"
    case (" (field ", .key): name == "?"
    case (" (method ", .method(let method)): method == name
    case ("", .call): true
    default: false
    }
  }

  /// Returns the reason why the expression is nil, such as `feed has no field 'items' (it has
  /// entries)`; nil if no reason is known.
  private func reason(_ expression: LuaExpression) -> String? {
    guard let owner = expression.owner else { return nil }
    let seen = expression.ownerPath.flatMap(sight)
    switch expression.end {
    case .field(let name):
      guard let seen, seen.type == "table" else {
        return seen == nil ? "\(owner) has no field '\(name)'" : nil
      }
      return "\(owner) has no field '\(name)'\(seen.lacking(name))"
    case .method(let name):
      return "\(owner) has no method '\(name)'\(seen?.lacking(name) ?? "")"
    case .index(let number):
      // The list that `css` returned is not available here. Its first value is nil, so the list is
      // empty.
      if seen == nil, number == 1, owner.hasSuffix(")"), owner.contains(":css(") {
        return "\(owner) is an empty list"
      }
      if number == 0, seen == nil || seen?.type == "table" { return "lists begin at 1" }
      guard let seen, seen.type == "table", seen.count < number else { return nil }
      return seen.count == 0
        ? "\(owner) is \(seen.names.isEmpty ? "an empty list" : "a table without list entries")"
        : "\(owner) is a list of \(counted(Int(seen.count), "value"))"
    case .name, .key, .call: return nil
    }
  }
}
