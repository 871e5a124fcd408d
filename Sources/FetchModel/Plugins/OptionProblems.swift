package import FetchValues

/// What is wrong with the options of a job; never empty.
package struct OptionProblems: Error, Equatable, Sendable {
  package var all: [OptionProblem]

  package init(_ all: [OptionProblem]) { self.all = all }

  /// One sentence each, as the command line says it.
  package var messages: [String] { all.map(\.description) }
}

extension Value {
  /// A scalar as a person would write it; nil for lists and tables.
  package var displayText: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .bool(let flag): String(flag)
    case .null: "null"
    case .bytes, .array, .object: nil
    }
  }
}
