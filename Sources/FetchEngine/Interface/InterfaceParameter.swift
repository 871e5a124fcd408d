/// One parameter of a function of the plugin interface, read from LuaLS's notation: `text: string`,
/// `options?: {pretty?: boolean}`, `...: string`.
package struct InterfaceParameter: Equatable {
  package var name: String
  package var type: String
  package var isOptional: Bool

  init(_ text: Substring) {
    let colon = text.firstIndex(of: ":") ?? text.endIndex
    let label = text[..<colon]
    isOptional = label.last == "?"
    name = String(isOptional ? label.dropLast() : label)
    type = String(text[colon...].dropFirst().drop { $0 == " " })
  }

  /// Returns the parameters in a list. Commas outside braces separate the parameters.
  package static func list(_ text: String) -> [InterfaceParameter] {
    var parts: [Substring] = []
    var depth = 0
    var start = text.startIndex
    for index in text.indices {
      switch text[index] {
      case "{", "(", "<": depth += 1
      case "}", ")", ">": depth -= 1
      case "," where depth == 0:
        parts.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    parts.append(text[start...])
    return parts.map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
      .map { InterfaceParameter($0) }
  }

  /// The parameter as the page shows it, such as `text`, `{pretty=, sort=}` or `…`.
  package var shown: String {
    if name == "..." { return "…" }
    guard type.hasPrefix("{"), type.hasSuffix("}"), !type.hasPrefix("{[") else { return name }
    let keys = Self.list(String(type.dropFirst().dropLast())).map { $0.name + "=" }
    return "{" + keys.joined(separator: ", ") + "}"
  }
}
