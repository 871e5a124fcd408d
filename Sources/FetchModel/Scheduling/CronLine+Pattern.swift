extension CronLine {
  /// The form of a line's five fields as a regular expression (ECMA 262): what the parser reads, but
  /// for names of lines, ranges that go backwards and days that no month has.
  package static let pattern: String = {
    let kinds = [
      CronField.minute, CronField.hour, CronField.dayOfMonth, CronField.month, CronField.weekday,
    ]
    let space = "[ \\t]"
    return "\(space)*" + kinds.map(\.pattern).joined(separator: "\(space)+") + "\(space)*"
  }()
}

extension CronField.Kind {
  /// `*` or a range, with a step or without, or a number; or several of them.
  fileprivate var pattern: String {
    let number =
      "(" + (names.map(\.inAnyCase) + [Self.pattern(of: range)]).joined(separator: "|") + ")"
    let step = "(/\(Self.pattern(of: 1...range.upperBound)))?"
    let part = "(\\*\(step)|\(number)(-\(number)\(step))?)"
    return "\(part)(,\(part))*"
  }

  private static func pattern(of range: ClosedRange<Int>) -> String {
    "0*(" + range.map(String.init).joined(separator: "|") + ")"
  }
}

extension String {
  /// Of ASCII letters: a pattern that they match in any case.
  package var inAnyCase: String { map { "[\($0)\($0.uppercased())]" }.joined() }
}
