import FetchValues

/// The advice about a text that libyaml refuses. libyaml's own message names the violated rule of
/// YAML, and often a place after the mistake.
struct YAMLAdvice {
  private let lines: [Substring]

  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// - Parameter begun: the beginning of the list, mapping or text that libyaml was reading.
  func problem(
    _ words: String, at place: ConfigPlace, begunAt begun: ConfigPlace?, in file: String
  ) -> ConfigProblem {
    var place = place
    let advice = advice(words, &place, begun)
    return ConfigProblem(
      file: file, line: place.line, column: place.column,
      "not YAML: \(words)" + (advice.map { "; \($0)" } ?? ""))
  }

  private func advice(
    _ words: String, _ place: inout ConfigPlace, _ begun: ConfigPlace?
  ) -> String? {
    let line = line(place.line)
    let rest = line.dropFirst(max(0, place.column - 1))
    switch words {
    case "found a tab character that violates indentation",
      "found character that cannot start any token" where rest.first == "\t":
      return "indent with spaces, not with tabs"
    case "found character that cannot start any token":
      return rest.first.map { "quote a string that begins with \($0)" }
    case "mapping values are not allowed in this context": return mapping(place)
    case "did not find expected alphabetic or numeric character":
      return starred(&place)
    case "did not find expected ',' or '}'": return open("{", "}", &place, begun)
    case "did not find expected ',' or ']'": return open("[", "]", &place, begun)
    case "did not find expected key":
      return "indent all keys of a mapping equally, and all entries of a list; write no text after"
        + " a closing quotation mark or bracket"
    case "did not find expected '-' indicator":
      return "begin each entry of a list with '- ' at the same indentation, indent the keys of an"
        + " entry equally, and write no text after a closing quotation mark or"
        + " bracket"
    case "could not find expected ':'": return "write KEY: VALUE, with a space after the colon"
    case "found unexpected end of stream":
      if let begun { place = begun }
      return "close the quotation mark that opens here"
    case "found unknown escape character":
      return "\\ begins an escape in double quotes; use single quotes"
    case "did not find expected <document start>":
      return "write each line of the file's top level as KEY: VALUE, without indentation"
    default: return nil
    }
  }

  private func line(_ number: Int) -> Substring {
    lines.indices.contains(number - 1) ? lines[number - 1] : ""
  }

  private func indent(_ number: Int) -> Int { line(number).prefix { $0 == " " }.count }

  /// Returns the number of the last non-blank line before the line `number`; nil if there is none.
  private func before(_ number: Int) -> Int? {
    (1..<max(1, number)).last { !line($0).allSatisfy(\.isWhitespace) }
  }

  private func mapping(_ place: ConfigPlace) -> String {
    let before = before(place.line)
    if let before, indent(place.line) > indent(before), !line(before).hasSuffix(":") {
      return "indent the keys of one mapping equally, or quote a string that contains ': '"
    }
    return "quote a string that contains ': ' or ends with ':'"
  }

  /// Returns the advice for `interval: */20 * * * *`, in which the star begins the name of an
  /// alias.
  private func starred(_ place: inout ConfigPlace) -> String? {
    let text = line(place.line)
    guard let star = text.firstIndex(of: "*") else { return nil }
    place.column = text.distance(from: text.startIndex, to: star) + 1
    return "quote a string that begins with *, such as \"*/20 * * * *\""
  }

  /// Returns the advice for a `{` or `[` that is not closed. The parser often finds this mistake
  /// only in a later line.
  private func open(
    _ opening: String, _ closing: String, _ place: inout ConfigPlace, _ begun: ConfigPlace?
  ) -> String {
    for number in [place.line, begun?.line ?? place.line] where line(number).contains("${") {
      return "quote strings with ${…} inside { } and [ ], as in \"${NAME}\", and close each { and ["
    }
    if let begun, begun.line < place.line { place = begun }
    return "close this \(opening) with \(closing), and put a comma between its entries"
  }
}
