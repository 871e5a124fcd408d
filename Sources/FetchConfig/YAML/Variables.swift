import FetchValues

/// The replacement of `${NAME}` in the texts of a config by the value of the environment variable.
///
/// `${NAME}` is an error if the variable is not set. If the variable is not set or empty,
/// `${NAME:-text}` becomes the text, and `${NAME:?message}` is an error with the given message. The
/// text and the message cannot contain `${`.
/// `$${` becomes `${`, and any other `${` is an error. A `$` without `{` stays unchanged.
enum Variables {
  /// The reason why a text cannot be expanded, in one sentence.
  struct Problem: Error, Equatable {
    var message: String
  }

  static func expand(
    _ text: String, from environment: [String: String]
  ) throws(Problem) -> String {
    var expanded = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      expanded += rest[..<dollar]
      rest = rest[dollar...]
      if rest.hasPrefix("$${") {
        expanded += "${"
        rest = rest.dropFirst(3)
      } else if rest.hasPrefix("${") {
        guard let end = rest.firstIndex(of: "}") else {
          throw Problem(
            message: "'\(rest.prefix(40))' has no closing '}'; write '$${' for a literal '${'")
        }
        expanded += try value(of: rest[..<end].dropFirst(2), environment)
        rest = rest[end...].dropFirst()
      } else {
        expanded += "$"
        rest = rest.dropFirst()
      }
    }
    return expanded + rest
  }

  private static func value(
    of inner: Substring, _ environment: [String: String]
  ) throws(Problem) -> String {
    let name = inner.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    let rule = inner.dropFirst(name.count)
    guard let first = name.first, !first.isNumber,
      rule.isEmpty || rule.hasPrefix(":-") || rule.hasPrefix(":?")
    else {
      throw Problem(
        message: "invalid variable '${\(inner.prefix(40))}': use ${NAME}, ${NAME:-default} or"
          + " ${NAME:?message}, and $${ for a literal ${")
    }
    if rule.contains("${") {
      throw Problem(
        message: "invalid variable '${\(inner.prefix(40))}': variables cannot be nested; use plain"
          + " text after '\(rule.prefix(2))'")
    }
    let found = environment[String(name)]
    if let found, rule.isEmpty || !found.isEmpty { return found }
    if rule.hasPrefix(":-") { return String(rule.dropFirst(2)) }
    let message = rule.dropFirst(2)
    if !message.isEmpty { throw Problem(message: "\(name): \(message)") }
    let state = found == nil ? "is not set" : "is empty"
    throw Problem(
      message: "the environment variable \(name) \(state); set it, or write ${\(name):-default}")
  }
}
