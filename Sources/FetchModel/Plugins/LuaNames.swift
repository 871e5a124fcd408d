import FetchValues

/// The names in a Lua text and their roles: declared, assigned or used.
///
/// A name that is declared anywhere counts as declared everywhere. A check for undeclared names
/// thus reports no declared name, but may miss some undeclared names.
package struct LuaNames {
  package let tokens: [LuaToken]
  /// The number of declarations of each name as a local, a parameter or a loop variable.
  package private(set) var declared: [String: Int] = [:]
  /// The names to which the text assigns outside a declaration, or which a function statement
  /// without `local` defines. Such a name is a global unless it is also declared. In a list of
  /// targets, a name before a field or an index is not found, as in `a, t.x = 1, 2`.
  package private(set) var assigned: Set<String> = []
  /// The modules that are stored in variables, by the name of the variable: `local text = require
  /// "text"`. Each variable is declared once, and is not in `assigned`.
  package private(set) var modules: [String: String] = [:]
  /// The calls whose first results are stored in variables, by the name of the variable: `local
  /// answer = http.get(…)`. Each variable is declared once, and is not in `assigned`.
  package private(set) var results: [String: Call] = [:]
  /// The names of the fields to which the text assigns: `answer.seen = true`.
  package private(set) var setMembers: Set<String> = []
  /// The functions that the text defines. The name of an anonymous function is the name directly
  /// before its `=`; empty if there is none.
  package private(set) var functions: [Function] = []

  /// A call of a module's function.
  package struct Call {
    package var module: String
    package var function: String
  }

  package struct Function {
    package var name: String
    package var parameters: [String]
    /// The range of the function's tokens. It begins at the parenthesis before the parameters and
    /// does not include the `end`.
    package var body: Range<Int>
  }

  /// The tables, brackets, blocks and functions that are open at the current token.
  private var open: [Opener] = []
  /// The token indexes of names that are table keys.
  private var keys: Set<Int> = []

  private enum Opener { case table, other, function(Int) }

  package init(_ tokens: [LuaToken]) {
    self.tokens = tokens
    for place in tokens.indices { look(at: place) }
    modules = modules.filter { declared[$0.key] == 1 && !assigned.contains($0.key) }
    results = results.filter {
      declared[$0.key] == 1 && !assigned.contains($0.key) && modules[$0.value.module] != nil
    }
    for (name, call) in results { results[name]?.module = modules[call.module] ?? call.module }
  }

  // MARK: What is used

  /// The token indexes of the names that refer to a variable.
  package var used: [Int] {
    tokens.indices.filter { place in
      tokens[place].kind == .name && !keys.contains(place) && !isMember(place) && !isLabel(place)
        && !isAttribute(place)
    }
  }

  /// Returns the token index of `b` in `a.b` or `a:b`, given the token index of `a`; nil if there
  /// is no `b`.
  package func member(of place: Int) -> Int? {
    guard has(".", at: place + 1) || has(":", at: place + 1), place + 2 < tokens.count,
      tokens[place + 2].kind == .name
    else { return nil }
    return place + 2
  }

  private func isMember(_ place: Int) -> Bool { has(".", at: place - 1) || has(":", at: place - 1) }

  private func isLabel(_ place: Int) -> Bool {
    has("::", at: place - 1) || has("goto", at: place - 1)
  }

  private func isAttribute(_ place: Int) -> Bool {
    ["const", "close"].contains(tokens[place].text) && has("<", at: place - 1)
      && has(">", at: place + 1)
  }

  private func has(_ word: String, at place: Int) -> Bool {
    tokens.indices.contains(place) && tokens[place].isWord(word)
  }

  // MARK: What is declared

  private mutating func look(at place: Int) {
    let token = tokens[place]
    switch (token.kind, token.text) {
    case (.symbol, "{"): open.append(.table)
    case (.symbol, "("), (.symbol, "["), (.keyword, "do"), (.keyword, "if"), (.keyword, "repeat"):
      open.append(.other)
    case (.symbol, "}"), (.symbol, ")"), (.symbol, "]"), (.keyword, "until"): _ = open.popLast()
    case (.keyword, "end"):
      if case .function(let number)? = open.popLast() {
        functions[number].body = functions[number].body.lowerBound..<place
      }
    case (.keyword, "function"): readFunction(place)
    case (.keyword, "local"): readLocals(place)
    case (.keyword, "for"):
      for name in names(from: place + 1).names { declare(name) }
    case (.symbol, "="): readAssignment(place)
    default: break
    }
  }

  private mutating func declare(_ name: String) { declared[name, default: 0] += 1 }

  /// Returns the names in a list such as `a, b <const>, c`, and the token index after the list.
  private func names(from start: Int) -> (names: [String], end: Int) {
    var names: [String] = []
    var place = start
    while place < tokens.count, tokens[place].kind == .name {
      names.append(tokens[place].text)
      place += 1
      if has("<", at: place) { place += 3 }
      guard has(",", at: place) else { break }
      place += 1
    }
    return (names, place)
  }

  private mutating func readLocals(_ place: Int) {
    if has("function", at: place + 1) {
      if place + 2 < tokens.count { declare(tokens[place + 2].text) }
      return
    }
    let (names, equals) = names(from: place + 1)
    for name in names { declare(name) }
    guard has("=", at: equals) else { return }
    var start = equals + 1
    if let name = names.first, let call = called(at: start) { results[name] = call }
    for name in names {
      guard let (module, next) = required(at: start) else { return }
      modules[name] = module
      guard has(",", at: next) else { return }
      start = next + 1
    }
  }

  /// Returns the call, such as `http.get(…)`, at a token index. The result is nil if there is no
  /// such call, or if a field, an index, another call or a common operator follows it.
  private func called(at place: Int) -> Call? {
    guard place + 3 < tokens.count, tokens[place].kind == .name, has(".", at: place + 1),
      tokens[place + 2].kind == .name, has("(", at: place + 3)
    else { return nil }
    var (end, depth) = (place + 3, 0)
    while end < tokens.count {
      if ["(", "{", "["].contains(where: { has($0, at: end) }) { depth += 1 }
      if [")", "}", "]"].contains(where: { has($0, at: end) }) { depth -= 1 }
      if depth == 0 { break }
      end += 1
    }
    let operators = [".", ":", "[", "(", "or", "and", "..", "+", "-", "==", "~="]
    guard !operators.contains(where: { has($0, at: end + 1) }) else { return nil }
    return Call(module: tokens[place].text, function: tokens[place + 2].text)
  }

  /// Returns the module in `require "x"` or `require("x")`, and the token index after the call. The
  /// result is nil if there is no such call, or if a call, a field or an index follows it.
  private func required(at place: Int) -> (module: String, next: Int)? {
    guard place < tokens.count, tokens[place].text == "require" else { return nil }
    let isCall = has("(", at: place + 1)
    let name = isCall ? place + 2 : place + 1
    let next = isCall ? place + 4 : place + 2
    guard name < tokens.count, tokens[name].kind == .string, !isCall || has(")", at: place + 3),
      ![".", ":", "(", "["].contains(where: { has($0, at: next) })
    else { return nil }
    return (tokens[name].text, next)
  }

  private mutating func readFunction(_ place: Int) {
    var start = place + 1
    var name = ""
    while start < tokens.count, !has("(", at: start) {
      if tokens[start].kind == .name { name = tokens[start].text }
      if has(":", at: start) { declare("self") }
      start += 1
    }
    let isNamed = start > place + 1
    // Without `local`, `function name()` assigns to the variable `name`.
    if start == place + 2, !has("local", at: place - 1) { assigned.insert(name) }
    if !isNamed, has("=", at: place - 1), place >= 2, tokens[place - 2].kind == .name {
      name = tokens[place - 2].text
    }
    let parameters = names(from: start + 1).names
    for parameter in parameters { declare(parameter) }
    open.append(.function(functions.count))
    functions.append(
      Function(name: name, parameters: parameters, body: start..<tokens.count))
  }

  private mutating func readAssignment(_ equals: Int) {
    if case .table? = open.last {
      if equals >= 1, tokens[equals - 1].kind == .name { keys.insert(equals - 1) }
      return
    }
    if equals >= 1, isMember(equals - 1) { setMembers.insert(tokens[equals - 1].text) }
    var names: [String] = []
    var place = equals - 1
    while place >= 0, tokens[place].kind == .name, !isMember(place) {
      names.append(tokens[place].text)
      place -= 1
      guard has(",", at: place) else { break }
      place -= 1
    }
    if !has("local", at: place), !has("for", at: place) { assigned.formUnion(names) }
  }
}
