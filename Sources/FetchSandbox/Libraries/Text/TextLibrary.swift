import FetchValues

/// The pure functions of `require "text"`.
package enum TextLibrary {
  package static let functions: [LibraryFunction] = [
    trim, split, lines, unescape, escape, collapse, startsWith, endsWith, stripTags, truncate,
    fit, diff,
  ]

  /// `text.trim(text) -> text`: removes white space (ASCII white space and no-break spaces) at both
  /// ends.
  private static let trim = LibraryFunction("text.trim") {
    arguments, _, writer throws(LibraryError) in
    writer.write(bytes: TextBytes.trimmed(try arguments.bytes()))
    return 1
  }

  /// `text.split(text, separator) -> list`: splits at each separator. The separator is plain text,
  /// not a pattern. The number of pieces is one more than the number of separators.
  private static let split = LibraryFunction("text.split") {
    arguments, _, writer throws(LibraryError) in
    let text = try arguments.bytes()
    let separator = try arguments.bytes()
    guard !separator.isEmpty else {
      throw .misuse("bad argument #2 to 'text.split' (empty string)")
    }
    let list = writer.beginArray()
    var count = 1
    var start = 0
    while let found = TextBytes.firstIndex(of: separator, in: text, from: start) {
      writer.write(bytes: UnsafeRawBufferPointer(rebasing: text[start..<found]))
      start = found + separator.count
      count += 1
    }
    writer.write(bytes: UnsafeRawBufferPointer(rebasing: text[start...]))
    writer.endArray(list, count: count)
    return 1
  }

  /// `text.lines(text) -> list`: returns the lines without their line ends (LF, CRLF or CR). A
  /// final line end adds no line.
  private static let lines = LibraryFunction("text.lines") {
    arguments, _, writer throws(LibraryError) in
    let text = try arguments.bytes()
    let list = writer.beginArray()
    var count = 0
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.count
      writer.write(bytes: UnsafeRawBufferPointer(rebasing: text[start..<end]))
      count += 1
      let isCRLF = end + 1 < text.count && text[end] == 0x0D && text[end + 1] == 0x0A
      start = end + (isCRLF ? 2 : 1)
    }
    writer.endArray(list, count: count)
    return 1
  }

  /// `text.unescape(text) -> text`: replaces HTML's character references (`&amp;`, `&#233;`) by
  /// their characters, and keeps unknown references.
  private static let unescape = LibraryFunction("text.unescape") {
    arguments, _, writer throws(LibraryError) in
    writer.write(bytes: HTMLFragment.unescaped(try arguments.bytes()))
    return 1
  }

  /// `text.escape(text) -> text`: writes `& < > " '` as character references, for HTML and XML.
  private static let escape = LibraryFunction("text.escape") {
    arguments, _, writer throws(LibraryError) in
    writer.write(bytes: HTMLFragment.escaped(try arguments.bytes()))
    return 1
  }

  /// `text.collapse(text) -> text`: trims the text and replaces each run of white space by a space.
  private static let collapse = LibraryFunction("text.collapse") {
    arguments, _, writer throws(LibraryError) in
    writer.write(bytes: TextBytes.collapsed(try arguments.bytes()))
    return 1
  }

  private static let startsWith = LibraryFunction("text.starts_with") {
    arguments, _, writer throws(LibraryError) in
    let text = try arguments.bytes()
    writer.write(text.starts(with: try arguments.bytes()))
    return 1
  }

  private static let endsWith = LibraryFunction("text.ends_with") {
    arguments, _, writer throws(LibraryError) in
    let text = try arguments.bytes()
    let end = try arguments.bytes()
    writer.write(text.suffix(end.count).elementsEqual(end))
    return 1
  }

  /// `text.strip_tags(html) -> text`: drops tags, comments, scripts and styles, resolves references
  /// and collapses white space. Use this function for short texts such as titles, and `html.text`
  /// for pages.
  private static let stripTags = LibraryFunction("text.strip_tags") {
    arguments, _, writer throws(LibraryError) in
    let plain = HTMLFragment.withoutTags(try arguments.bytes())
    let unescaped = plain.withUnsafeBytes(HTMLFragment.unescaped)
    writer.write(bytes: unescaped.withUnsafeBytes(TextBytes.collapsed))
    return 1
  }

  /// `text.truncate(text, count [, ending]) -> text`: returns at most `count` characters, including
  /// the ending (by default `…`).
  private static let truncate = LibraryFunction("text.truncate") {
    arguments, _, writer throws(LibraryError) in
    let text = try arguments.string()
    let count = try arguments.integer()
    let ending = try arguments.optionalString() ?? "…"
    guard count >= 0 else { throw .misuse("bad argument #2 to 'text.truncate' (negative count)") }
    writer.write(TextBytes.truncated(text, to: Int(count), ending: ending))
    return 1
  }

  /// `text.fit(lines, count [, {unit =, separator =}]) -> text`: joins as many lines as fit. If
  /// there is room, writes a note such as `… 12 more` for the others.
  private static let fit = LibraryFunction("text.fit") {
    arguments, _, writer throws(LibraryError) in
    let lines = (try arguments.value()).arrayValue ?? []
    let texts = lines.compactMap(\.stringValue)
    guard !texts.isEmpty, texts.count == lines.count else {
      throw .misuse("bad argument #1 to 'text.fit' (a non-empty list of strings expected)")
    }
    let count = try arguments.integer()
    guard count > 0 else { throw .misuse("bad argument #2 to 'text.fit' (count below 1)") }
    let options = try LibraryOptions(
      arguments.value(), function: "text.fit", known: ["unit", "separator"])
    let word = try options.string("unit") ?? TextFit.Unit.characters.rawValue
    guard let unit = TextFit.Unit(rawValue: word) else {
      let units = TextFit.Unit.allCases.map(\.rawValue).joined(separator: ", ")
      throw .misuse("bad option 'unit' for 'text.fit' (one of \(units) expected)")
    }
    writer.write(
      TextFit.text(
        texts, count: Int(clamping: count), unit: unit,
        separator: try options.string("separator") ?? "\n"))
    return 1
  }

  /// `text.diff(old, new [, {context = 3}]) -> text`: returns hunks in the form of `diff -u`,
  /// without the lines that name the files. The text is empty if all lines are equal.
  private static let diff = LibraryFunction("text.diff") {
    arguments, _, writer throws(LibraryError) in
    let old = try arguments.string()
    let new = try arguments.string()
    let options = try LibraryOptions(
      arguments.value(), function: "text.diff", known: ["context"])
    let context = try options.integer("context") ?? Int64(UnifiedDiff.contextLinesDefault)
    guard (0...10_000).contains(context) else {
      throw .misuse("bad option 'context' for 'text.diff' (0 to 10000 expected)")
    }
    writer.write(UnifiedDiff.text(from: old, to: new, contextLines: Int(context)))
    return 1
  }
}
