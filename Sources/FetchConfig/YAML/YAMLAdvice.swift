import FetchValues

/// The advice about a text that libyaml refuses. libyaml's own message names the violated rule of
/// YAML, and often a place after the mistake.
struct YAMLAdvice {
  private let lines: [Substring]

  init(_ text: String) {
    lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
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
      return named(&place, begun)
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

  /// Returns the indentation of a line's first key, which may be after the `-` of an entry.
  private func indent(_ number: Int) -> Int {
    line(number).prefix { $0 == " " || $0 == "-" }.count
  }

  /// Returns a line without its comment and without white space at its end. A ` #` in quotes counts
  /// as a comment.
  private func content(_ number: Int) -> Substring {
    let line = line(number)
    let comment = line.indices.first { place in
      line[place] == "#" && line[..<place].last?.isWhitespace != false
    }
    var content = line[..<(comment ?? line.endIndex)]
    while content.last?.isWhitespace == true { content.removeLast() }
    return content
  }

  /// Returns the number of the last line with content before the line `number`; nil if there is
  /// none.
  private func before(_ number: Int) -> Int? {
    (1..<max(1, number)).last { !content($0).isEmpty }
  }

  private func mapping(_ place: ConfigPlace) -> String {
    let before = before(place.line)
    if let before, indent(place.line) > indent(before), !content(before).hasSuffix(":") {
      return "indent the keys of one mapping equally, or quote a string that contains ': '"
    }
    return "quote a string that contains ': ' or ends with ':'"
  }

  /// Returns the advice for an unquoted text that begins with `*` or `&`, such as `*/20 * * * *`.
  /// In YAML, `*` begins the name of an alias, and `&` begins the name of an anchor.
  private func named(_ place: inout ConfigPlace, _ begun: ConfigPlace?) -> String? {
    guard let begun, let first = line(begun.line).dropFirst(max(0, begun.column - 1)).first
    else { return nil }
    place = begun
    let example = first == "*" ? ", such as \"*/20 * * * *\"" : ""
    return "quote a string that begins with \(first)\(example)"
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
