import FetchEngine
import FetchModel
import FetchValues

/// The check for calls with a literal argument of the wrong type, and for unknown request options.
/// It also finds additions of strings.
extension CodeCheck {
  static func wrongCalls(_ names: LuaNames) -> [Finding] {
    let tokens = names.tokens
    var found: [Finding] = []
    for place in names.used {
      let name = tokens[place].text
      if let module = names.modules[name], let member = names.member(of: place),
        let functions = PluginInterface.modules.first(where: { $0.name == module })?.functions,
        let parameters = merged(functions.filter { $0.names.contains(tokens[member].text) })
      {
        found += wrongArguments(tokens, after: member, for: parameters, module)
      } else if ["ipairs", "pairs"].contains(name), names.declared[name] == nil,
        let argument = arguments(tokens, after: place).first, let kind = argument.kind,
        kind != "table", kind != "string" || name == "pairs"
      {
        // `ipairs` accepts a string: every index of a string is nil, so the loop ends at once.
        found.append(
          (tokens[place].line, "bad argument #1 to '\(name)' (table expected, got \(kind))"))
      }
    }
    return found + joinedByPlus(tokens)
  }

  /// Returns parameters that accept the arguments of every given overload; nil if there are no
  /// overloads.
  private static func merged(_ overloads: [InterfaceFunction]) -> [InterfaceParameter]? {
    guard var merged = overloads.first?.parameters else { return nil }
    for other in overloads.dropFirst() {
      for (index, parameter) in zip(merged.indices, other.parameters) {
        merged[index].type += "|" + parameter.type
      }
    }
    return merged
  }

  private static func wrongArguments(
    _ tokens: [LuaToken], after place: Int, for parameters: [InterfaceParameter], _ module: String
  ) -> [Finding] {
    let name = "\(module).\(tokens[place].text)"
    let given = arguments(tokens, after: place)
    var strange: [Finding] = []
    for (argument, parameter) in zip(given, parameters)
    where parameter.type == "fetchrun.RequestOptions" && argument.kind == "table" {
      strange += strangeOptions(tokens, from: argument.place, of: name)
    }
    return strange
      + zip(given, parameters).enumerated().compactMap { number, pair in
        let (argument, parameter) = pair
        guard let kind = argument.kind, parameter.name != "...",
          let wanted = kinds(of: parameter.type), !wanted.contains(kind),
          !(kind == "integer" && wanted.contains("number")),
          !((kind == "nil" || kind == "table") && parameter.isOptional)
        else { return nil }
        if module == "http", number == 0, parameter.name == "url" {
          let got = kind == "nil" ? kind : "a " + (kind == "integer" ? "number" : kind)
          return (argument.line, "\(name) needs a URL, got \(got)")
        }
        return (
          argument.line,
          "bad argument #\(number + 1) to '\(name)' (\(wanted.joined(separator: " or ")) expected, got"
            + " \(kind))"
        )
      }
  }

  /// Returns the kinds of literals that a parameter's type accepts. Returns nil if the type is not
  /// known here, accepts every kind, or accepts no literal.
  private static func kinds(of type: String) -> [String]? {
    var kinds: [String] = []
    for part in InterfaceParameter.list(type.replacing("|", with: ", ")).map(\.name) {
      switch part {
      case "string", "number", "boolean", "integer": kinds.append(part)
      case "fetchrun.Secret": break
      case _
      where part.hasPrefix("fetchrun.") || part.hasPrefix("table") || part.hasPrefix("{")
        || part.hasSuffix("[]"):
        kinds.append("table")
      default: return nil
      }
    }
    return kinds.isEmpty ? nil : kinds
  }

  private struct Argument {
    /// The kind of the literal, such as `string`; nil if the argument is not a single literal.
    var kind: String?
    var line: Int
    /// The index of the argument's first token in the list of all tokens; 0 for a string without
    /// parentheses, as in `f "text"`.
    var place = 0
  }

  /// Returns the arguments of a call; an empty list if they cannot be determined. `place` is the
  /// index of the token before the arguments.
  private static func arguments(_ tokens: [LuaToken], after place: Int) -> [Argument] {
    guard place + 1 < tokens.count else { return [] }
    let first = tokens[place + 1]
    if first.kind == .string { return [Argument(kind: "string", line: first.line)] }
    if first.isWord("{") { return [Argument(kind: "table", line: first.line, place: place + 1)] }
    guard first.isWord("(") else { return [] }
    var arguments: [Argument] = []
    var (start, index, depth) = (place + 2, place + 2, 0)
    while index < tokens.count {
      let token = tokens[index]
      let closes = depth == 0 && token.isWord(")")
      if closes || depth == 0 && token.isWord(",") {
        if index > start {
          var argument = argument(tokens[start..<index])
          argument.place = start
          arguments.append(argument)
        }
        if closes { return arguments }
        start = index + 1
      }
      if ["(", "{", "["].contains(where: token.isWord) { depth += 1 }
      if [")", "}", "]"].contains(where: token.isWord) { depth -= 1 }
      if token.isWord("function") { return [] }
      index += 1
    }
    return []
  }

  private static func argument(_ tokens: ArraySlice<LuaToken>) -> Argument {
    guard let first = tokens.first else { return Argument(line: 0) }
    if first.isWord("{"), let last = tokens.last, last.isWord("}"), isOne(tokens) {
      return Argument(kind: "table", line: first.line)
    }
    guard tokens.count == 1 else { return Argument(line: first.line) }
    let kind: String? =
      switch first.kind {
      case .string: "string"
      case .number: Int64(first.text) == nil ? "number" : "integer"
      case .keyword where first.text == "nil": "nil"
      case .keyword where ["true", "false"].contains(first.text): "boolean"
      default: nil
      }
    return Argument(kind: kind, line: first.line)
  }

  /// Whether the last brace closes the first brace, so that the tokens are one table.
  private static func isOne(_ tokens: ArraySlice<LuaToken>) -> Bool {
    var depth = 0
    for (index, token) in zip(tokens.indices, tokens) {
      if token.isWord("{") { depth += 1 }
      if token.isWord("}") { depth -= 1 }
      if depth == 0 { return index == tokens.endIndex - 1 }
    }
    return false
  }

  /// Finds additions such as `"a" + b`. Lua converts a string to a number only if the string is a
  /// numeral.
  private static func joinedByPlus(_ tokens: [LuaToken]) -> [Finding] {
    tokens.indices.dropFirst().dropLast().compactMap { place in
      guard tokens[place].isWord("+") else { return nil }
      var sides = [tokens[place + 1]]
      if place == 1 || !takesString(tokens[place - 2]) { sides.append(tokens[place - 1]) }
      guard sides.contains(where: { $0.kind == .string && Double($0.text) == nil })
      else { return nil }
      return (tokens[place].line, "`+` adds numbers; join strings with `..`")
    }
  }

  /// Whether a string after the token is part of a longer operand, as in `#"x"` and `f "x"`.
  private static func takesString(_ token: LuaToken) -> Bool {
    token.kind == .name || token.kind == .string
      || ["#", ")", "]", "}"].contains(where: token.isWord)
  }
}
