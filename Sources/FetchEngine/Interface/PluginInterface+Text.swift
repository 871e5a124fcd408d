extension PluginInterface {
  static let textSections = [InterfaceSection("text", [text])]

  static let text = InterfaceModule(
    "text",
    [
      .init(
        "trim", parameters: "text: string", results: "string text",
        summary: "without white space at the ends", example: "`text.trim(\"  a \")` is `\"a\"`"),
      .init(
        "collapse", parameters: "text: string", results: "string text",
        summary: "trimmed, white space inside as one space",
        example: "`text.collapse(\"a \\n b\")`"),
      .init(
        "split", parameters: "text: string, separator: string", results: "string[] parts",
        summary: "list; the separator is text, not a pattern",
        example: "`text.split(\"a,b\", \",\")[2]`"),
      .init(
        "lines", parameters: "text: string", results: "string[] lines",
        summary: "list without line ends", example: "`#text.lines(\"a\\nb\\n\")` is `2`"),
      .init(
        "starts_with", parameters: "text: string, start: string", results: "boolean does",
        summary: "boolean", example: "`text.starts_with(\"a.pdf\", \"a\")`"),
      .init(
        "ends_with", parameters: "text: string, ending: string", results: "boolean does",
        summary: "boolean", example: "`text.ends_with(\"a.pdf\", \".pdf\")`"),
      .init(
        "truncate", parameters: "text: string, count: integer, ending?: string",
        results: "string text", summary: "at most `count` characters, `…` included",
        example: "`text.truncate(title, 80)`"),
      .init(
        "fit",
        parameters: "lines: string[], count: integer,"
          + " options?: {unit?: \"characters\"|\"bytes\"|\"utf16\", separator?: string}",
        results: "string text", summary: "as many lines as fit, and `… 12 more`",
        example: "`text.fit(lines, 2000)`"),
      .init(
        "strip_tags", parameters: "html: string", results: "string text",
        summary: "without tags, references resolved, collapsed",
        example: "`text.strip_tags(\"<b>a</b>\")`"),
      .init(
        "escape", parameters: "text: string", results: "string text",
        summary: "`& < > \" '` as references", example: "`text.escape(\"a<b\")`"),
      .init(
        "unescape", parameters: "text: string", results: "string text", summary: "the reverse",
        example: "`text.unescape(\"a&lt;b\")`"),
      .init(
        "diff", parameters: "old: string, new: string, options?: {context?: integer}",
        results: "string diff", summary: "as by `diff -u`; empty if nothing differs",
        example: "`text.diff(before, now)`"),
    ])
}
