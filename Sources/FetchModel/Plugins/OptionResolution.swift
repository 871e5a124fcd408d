package import FetchValues

/// The matching of given options with the options that a plugin declares.
package enum OptionResolution {
  /// Returns the declared options that have a given value or a default value. The error contains
  /// all problems, each with the option's name.
  package static func resolve(
    _ given: ValueObject, against specs: [OptionSpec]
  ) -> Result<ValueObject, OptionProblems> {
    let (resolved, problems) = fit(given, to: specs)
    return problems.isEmpty ? .success(resolved) : .failure(OptionProblems(problems))
  }

  /// Returns the declared options that have a valid given value or, without a given value, a
  /// default value. Also returns the problems: options that are invalid, required but missing, or
  /// undeclared.
  package static func fit(
    _ given: ValueObject, to specs: [OptionSpec]
  ) -> (options: ValueObject, problems: [OptionProblem]) {
    var problems: [OptionProblem] = []
    for (key, _) in given.members
    where !specs.contains(where: { $0.name.hasSameBytes(as: key) }) {
      problems.append(OptionProblem(key, unknown(key, specs.map(\.name))))
    }
    var resolved = ValueObject()
    for spec in specs {
      switch value(of: spec, in: given) {
      case .success(let value?): resolved.append(spec.name, value)
      case .success(nil): break
      case .failure(let problem): problems.append(contentsOf: problem.all)
      }
    }
    return (resolved, problems)
  }

  private static func unknown(_ key: String, _ names: [String]) -> String {
    let known =
      names.isEmpty
      ? "there are no options" : "known options: " + names.joined(separator: ", ")
    return "unknown option '\(key)'\(NearestName.hint(key, among: names)); \(known)"
  }

  private static func value(
    of spec: OptionSpec, in given: ValueObject
  ) -> Result<Value?, OptionProblems> {
    guard let value = given[spec.name], !value.isNull else {
      guard spec.isRequired, spec.defaultValue == nil else { return .success(spec.defaultValue) }
      let about = spec.summary.map { ": \($0)" } ?? ""
      return failure(
        spec, "option '\(spec.name)' is required\(about)", example: spec.quotedExample)
    }
    guard spec.kind.accepts(value) else {
      return failure(
        spec,
        "option '\(spec.name)' must be \(spec.kind.rawValue.withArticle), not"
          + " \(value.kindName.withArticle)")
    }
    if let problem = spec.kind.problem(of: value) {
      return failure(spec, "option '\(spec.name)': \(problem)")
    }
    guard spec.choices.isEmpty || spec.choices.contains(value) else {
      let choices = spec.choices.compactMap(\.displayText).joined(separator: ", ")
      return failure(spec, "option '\(spec.name)' must be one of \(choices)")
    }
    return .success(value)
  }

  private static func failure(
    _ spec: OptionSpec, _ message: String, example: String? = nil
  ) -> Result<Value?, OptionProblems> {
    .failure(OptionProblems([OptionProblem(spec.name, message, example: example)]))
  }

  /// Parses the text of an option from a command line as the declared type. A list is written as
  /// JSON or separated by commas, and a table is written as JSON. An undeclared option stays a
  /// string.
  package static func read(
    _ text: String, as spec: OptionSpec?
  ) -> Result<Value, OptionProblems> {
    guard let spec, let value = parse(text, as: spec.kind) else {
      guard let spec else { return .success(.string(text)) }
      let message =
        "option '\(spec.name)' must be \(spec.kind.rawValue.withArticle) such as \(spec.kind.example),"
        + " not '\(text)'"
      return .failure(OptionProblems([OptionProblem(spec.name, message)]))
    }
    return .success(value)
  }

  private static func parse(_ text: String, as kind: OptionKind) -> Value? {
    switch kind {
    case .string, .url: return .string(text)
    case .integer: return Int64(text).map { .integer($0) }
    case .number:
      guard let number = Double(text), number.isFinite else { return nil }
      return .number(number)
    case .boolean:
      switch text.lowercased() {
      case "true", "yes", "on", "1": return true
      case "false", "no", "off", "0": return false
      default: return nil
      }
    case .list:
      if text.utf8.first == UInt8(ascii: "[") { return json(text)?.arrayValue.map { .array($0) } }
      return .array(text.split(separator: ",").map { .string(String($0)) })
    case .table: return json(text)?.objectValue.map { .object($0) }
    }
  }

  private static func json(_ text: String) -> Value? { try? JSONReader.decode(text) }
}

/// A problem with one option or one secret.
package struct OptionProblem: Error, Equatable, Sendable {
  package var option: String
  /// The mistake. For a missing value, `description` and `configMessage` add what to do.
  package var message: String
  /// An example of the missing value, or `stored` for a missing secret; nil if no value is missing.
  package var example: String?
  /// Whether the problem is about a secret instead of an option.
  package var isSecret = false
  /// The name of the hook that has the option, if the hook is on the command line; otherwise nil.
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

  /// The message for a config file, with the default command that stores a secret.
  package var configMessage: String { configMessage(setting: "fetchrun secret set NAME") }

  /// Returns the message for a config file.
  ///
  /// - Parameter setting: the command that stores a secret for this config, with `NAME` as the
  ///   secret's name.
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

/// All problems with options and secrets; at least one.
package struct OptionProblems: Error, Equatable, Sendable {
  package var all: [OptionProblem]

  package init(_ all: [OptionProblem]) { self.all = all }

  /// The messages for the command line, one for each problem.
  package var messages: [String] { all.map(\.description) }
}

extension Value {
  /// A scalar in the form in which a person would write it; nil for bytes, lists and tables.
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
