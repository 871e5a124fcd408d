package import FetchValues

/// A problem with one option or one secret of a job.
package struct OptionProblem: Error, Equatable, Sendable {
  package var option: String
  /// The mistake and its remedy, except how to write a missing value.
  package var message: String
  /// How to write the missing value; nil if the option was given.
  package var example: String?
  /// Whether it is a secret instead of an option.
  package var isSecret = false
  /// The hook of a command line; nil for the plugin.
  package var hook: String?

  package init(_ option: String, _ message: String, example: String? = nil) {
    self.option = option
    self.message = message
    self.example = example
  }

  package init(secret name: String, _ message: String, isMissing: Bool = false) {
    self.init(name, message, example: isMissing ? "stored" : nil)
    isSecret = true
  }

  /// The message for a config file.
  package var configMessage: String {
    guard let example else { return message }
    return isSecret
      ? "\(message): keep it with `fetchrun secret set NAME`, then add \(option): { \(example): NAME } to"
        + " its secrets; or add \(option): { env: VARIABLE }"
      : "\(message); add \(option): \(example) to its options"
  }
}

extension OptionProblem: CustomStringConvertible {
  /// The message for the command line.
  package var description: String {
    let about = hook.map { "hook \($0): \(message)" } ?? message
    guard let example else { return about }
    let (flag, name) = hook.map { ("--hook-", "\($0).\(option)") } ?? ("--", option)
    return isSecret
      ? "\(about): keep it with `fetchrun secret set NAME`, then add \(flag)secret"
        + " \(name)=\(example):NAME; or add \(flag)secret \(name)=env:VARIABLE"
      : "\(about); give it with \(flag)option \(name)=\(example)"
  }
}

/// All problems with the options of a job; never empty.
package struct OptionProblems: Error, Equatable, Sendable {
  package var all: [OptionProblem]

  package init(_ all: [OptionProblem]) { self.all = all }

  /// The messages for the command line, one sentence each.
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
