/// The tables of the config reference, from the keys that the reader goes by.
package enum ConfigReference {
  /// Title and table of each mapping, in the order of the page.
  package static let tables: [(title: String, table: String)] = [
    ("The file", table(FileKey.self)), ("A job", table(JobKey.self)),
    ("What a job may touch", table(AllowKey.self)), ("A job's files", table(FilesKey.self)),
    ("The budget", table(BudgetKey.self)),
    ("A lane", table(LaneKey.self)), ("Transfers", table(TransfersKey.self)),
    ("What is kept", table(KeepKey.self)),
    ("A secret", table(SecretKey.self)), ("An access token", table(OAuthKey.self)),
    ("A hook", table(HookKey.self)), ("A webhook", table(WebhookKey.self)),
    ("A command", table(CommandKey.self)), ("A file", table(FileSinkKey.self)),
    ("An email", table(EmailKey.self)), ("A hook file", table(LuaHookKey.self)),
    ("What a hook file may touch", table(HookAllowKey.self)),
  ]

  private static func table<Key: ConfigKey>(_ keys: Key.Type) -> String {
    let rows = Key.allCases.map { key in
      let entry = key.entry
      let fallback = entry.isRequired ? "required" : entry.defaultText ?? ""
      return "| `\(key.rawValue)` | \(entry.kind.words) | \(fallback) | \(entry.summary) |"
    }
    return (["| key | value | unless set | what |", "|---|---|---|---|"] + rows)
      .joined(separator: "\n")
  }
}
