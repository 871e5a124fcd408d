/// The tables of the config reference, made from the keys that the reader uses.
package enum ConfigReference {
  /// The tables with their titles, in the order of the reference page.
  package static let tables: [(title: String, table: String)] = ConfigSection.all.compactMap {
    section in
    section.title.map { ($0, table(section.entries)) }
  }

  private static func table(_ entries: [ConfigEntry]) -> String {
    let rows = entries.map { entry in
      let fallback = entry.isRequired ? "required" : entry.defaultText ?? ""
      return "| `\(entry.name)` | \(entry.kind.words) | \(fallback) | \(entry.summary) |"
    }
    return (["| key | value | unless set | what |", "|---|---|---|---|"] + rows)
      .joined(separator: "\n")
  }
}
