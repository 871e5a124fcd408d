import FetchModel
import FetchValues

/// The tables of the reference page Cases, made from the keys and words that the reader accepts.
package enum CaseReference {
  /// The title and the table of each mapping, in the order of the reference page.
  package static let tables: [(title: String, table: String)] = [
    ("The case", table("key", CaseKey.Whole.allCases.map { ($0.rawValue, $0.summary) })),
    ("A run", table("key", CaseKey.Run.allCases.map { ($0.rawValue, $0.summary) })),
    ("A secret", table("key", CaseKey.Secret.allCases.map { ($0.rawValue, $0.summary) })),
    (
      "An ended download",
      table("key", CaseKey.Transfer.allCases.map { ($0.rawValue, $0.summary) })
    ),
    ("A request", table("key", CaseKey.Request.allCases.map { ($0.rawValue, $0.summary) })),
    ("An answer", table("key", CaseKey.Answer.allCases.map { ($0.rawValue, $0.summary) })),
    ("Validators", table("key", CaseKey.Validator.allCases.map { ($0.rawValue, $0.summary) })),
    (
      "Ordering faults",
      table("fault", RecordedFault.allCases.map { ($0.rawValue, $0.summary) })
    ),
  ]

  private static func table(_ heading: String, _ rows: [(name: String, text: String)]) -> String {
    (["| \(heading) | what |", "|---|---|"] + rows.map { "| `\($0.name)` | \($0.text) |" })
      .joined(separator: "\n")
  }
}
