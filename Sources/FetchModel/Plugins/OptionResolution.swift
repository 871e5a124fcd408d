package import FetchValues

/// The matching of given options with the options that a plugin declares.
package enum OptionResolution {
  /// Returns every declared option with its given or default value. The error contains all
  /// problems, each with the option's name and what to do.
  package static func resolve(
    _ given: ValueObject, against specs: [OptionSpec]
  ) -> Result<ValueObject, OptionProblems> {
    let (resolved, problems) = fit(given, to: specs)
    return problems.isEmpty ? .success(resolved) : .failure(OptionProblems(problems))
  }

  /// Returns the declared options whose values are valid, and the problems with the other options.
  package static func fit(
    _ given: ValueObject, to specs: [OptionSpec]
  ) -> (options: ValueObject, problems: [OptionProblem]) {
    var problems: [OptionProblem] = []
    let names = specs.map(\.name)
    for key in given.keys where !names.contains(where: { $0.utf8.elementsEqual(key.utf8) }) {
      problems.append(OptionProblem(key, unknown(key, names)))
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
      names.isEmpty ? "the plugin has no options" : "it has " + names.joined(separator: ", ")
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

  /// Parses the text after `--option NAME=` as the declared type. A list is written as JSON or
  /// separated by commas, and a table is written as JSON. An undeclared option stays a string, and
  /// `resolve` reports the option.
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
