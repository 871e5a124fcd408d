/// The template of a route's path, such as `/api/v1/jobs/{job}/run`.
package struct RoutePath: Sendable, CustomStringConvertible {
  enum Part: Equatable {
    case word(String)
    case parameter(String)
  }

  package let description: String
  let parts: [Part]

  package init(_ text: String) {
    description = text
    parts = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { part in
      part.hasPrefix("{") && part.hasSuffix("}")
        ? .parameter(String(part.dropFirst().dropLast())) : .word(String(part))
    }
  }

  package var parameterNames: [String] {
    parts.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
  }

  /// Returns the texts of the path's parameters; nil if the path does not match.
  func match(_ segments: [String]) -> [(name: String, text: String)]? {
    guard segments.count == parts.count else { return nil }
    var found: [(name: String, text: String)] = []
    for (part, segment) in zip(parts, segments) {
      switch part {
      case .word(let word): guard word.utf8.elementsEqual(segment.utf8) else { return nil }
      case .parameter(let name): found.append((name, segment))
      }
    }
    return found
  }

  /// The number of segments of the template that are words and not parameters. If two templates
  /// match, the router selects the one with more words.
  var wordCount: Int {
    parts.count { if case .word = $0 { true } else { false } }
  }
}
