/// What is wrong with the options of a job, one sentence each.
package struct OptionProblems: Error, Equatable, Sendable {
  package var messages: [String]

  package init(messages: [String]) { self.messages = messages }
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
