package import FetchValues

/// A problem with one option or one secret of a job.
package struct OptionProblem: Error, Equatable, Sendable {
  package var option: String
  /// The mistake and what to do, without the form of a missing value, which is in `example`.
  package var message: String
  /// An example of the missing value; nil if the option was given.
  package var example: String?
  /// Whether the problem is about a secret instead of an option.
  package var isSecret = false
  /// The name of the command line's hook that has the option; nil for an option of the plugin.
  package var hook: HookName?

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
  package var configMessage: String { configMessage(setting: "fetchrun secret set NAME") }

  /// Returns the message for a config file.
  ///
  /// - Parameter setting: the command that stores a secret with the key that the config uses.
  package func configMessage(setting: String) -> String {
    guard let example else { return message }
    return isSecret
      ? "\(message): store it with `\(setting)`, then add \(option): { \(example): NAME } to "
        + "`secrets`; or add \(option): { env: VARIABLE }"
      : "\(message); add \(option): \(example) to `options`"
  }
}

extension OptionProblem: CustomStringConvertible {
  /// The message for the command line.
  package var description: String {
    let about = hook.map { "hook \($0): \(message)" } ?? message
    guard let example else { return about }
    let (flag, name) = hook.map { ("--hook-", "\($0).\(option)") } ?? ("--", option)
    return isSecret
      ? "\(about): store it with `fetchrun secret set NAME`, then add \(flag)secret"
        + " \(name)=\(example):NAME; or add \(flag)secret \(name)=env:VARIABLE"
      : "\(about); set it with \(flag)option \(name)=\(example)"
  }
}

/// All problems with the options of a job; at least one.
package struct OptionProblems: Error, Equatable, Sendable {
  package var all: [OptionProblem]

  package init(_ all: [OptionProblem]) { self.all = all }

  /// The messages for the command line, one sentence for each problem.
  package var messages: [String] { all.map(\.description) }
}

extension Value {
  /// A scalar in the form in which a person would write it; nil for lists and tables.
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
