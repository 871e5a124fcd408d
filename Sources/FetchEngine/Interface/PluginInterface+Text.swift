extension PluginInterface {
  static let textSections = [InterfaceSection("text", [text])]

  static let text = InterfaceModule(
    "text",
    [
      .init(
        "trim", parameters: "text: string", results: "string text",
        summary: "the text without white space at its ends",
        example: "`text.trim(\"  a \")` is `\"a\"`"),
      .init(
        "collapse", parameters: "text: string", results: "string text",
        summary: "the trimmed text; white space inside it becomes single spaces",
        example: "`text.collapse(\"a \\n b\")`"),
      .init(
        "split", parameters: "text: string, separator: string", results: "string[] parts",
        summary: "list; the separator is text, not a pattern",
        example: "`text.split(\"a,b\", \",\")[2]`"),
      .init(
        "lines", parameters: "text: string", results: "string[] lines",
        summary: "list of lines, without line ends", example: "`#text.lines(\"a\\nb\\n\")` is `2`"),
      .init(
        "starts_with", parameters: "text: string, start: string", results: "boolean does",
        summary: "boolean", example: "`text.starts_with(\"a.pdf\", \"a\")`"),
      .init(
        "ends_with", parameters: "text: string, ending: string", results: "boolean does",
        summary: "boolean", example: "`text.ends_with(\"a.pdf\", \".pdf\")`"),
      .init(
        "truncate", parameters: "text: string, count: integer, ending?: string",
        results: "string text",
        summary: "text of at most `count` characters, including `ending` (`…` by default)",
        example: "`text.truncate(title, 80)`"),
      .init(
        "fit",
        parameters: "lines: string[], count: integer,"
          + " options?: {unit?: \"characters\"|\"bytes\"|\"utf16\", separator?: string}",
        results: "string text",
        summary: "as many lines as fit, then `… 12 more` for the others",
        example: "`text.fit(lines, 2000)`"),
      .init(
        "strip_tags", parameters: "html: string", results: "string text",
        summary:
          "the text without tags; references become characters, and white space is collapsed",
        example: "`text.strip_tags(\"<b>a</b>\")`"),
      .init(
        "escape", parameters: "text: string", results: "string text",
        summary: "the text, with `& < > \" '` replaced by references",
        example: "`text.escape(\"a<b\")`"),
      .init(
        "unescape", parameters: "text: string", results: "string text",
        summary: "the text, with references such as `&lt;` replaced by characters",
        example: "`text.unescape(\"a&lt;b\")`"),
      .init(
        "diff", parameters: "old: string, new: string, options?: {context?: integer}",
        results: "string diff",
        summary: "unified diff, as by `diff -u` but without file names; empty if nothing differs",
        example: "`text.diff(before, now)`"),
    ])
}
