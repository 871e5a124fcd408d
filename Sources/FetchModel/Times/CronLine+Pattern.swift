extension CronLine {
  /// The syntax of a line's five fields as a regular expression (ECMA 262). It matches what the
  /// parser reads, except names of lines; ranges that go backwards and days that no month has match
  /// too.
  package static let pattern: String = {
    let kinds = [
      CronField.minute, CronField.hour, CronField.dayOfMonth, CronField.month, CronField.weekday,
    ]
    let space = "[ \\t]"
    return "\(space)*" + kinds.map(\.pattern).joined(separator: "\(space)+") + "\(space)*"
  }()
}

extension CronField.Kind {
  /// The pattern of `*` or a range with an optional step, of a number, or of a list of these.
  fileprivate var pattern: String {
    let number =
      "(" + (names.map(\.inAnyCase) + [Self.pattern(of: range)]).joined(separator: "|") + ")"
    let step = "(/\(Self.pattern(of: 1...range.upperBound)))?"
    let part = "(\\*\(step)|\(number)(-\(number)\(step))?)"
    return "(\(part)(,(?![ \\t]|$)|(?=[ \\t]|$)))+"
  }

  /// Returns the pattern of numbers of one or two digits, by their tens.
  private static func pattern(of range: ClosedRange<Int>) -> String {
    let tens = Dictionary(grouping: range) { $0 / 10 }.sorted { $0.key < $1.key }
    let parts = tens.map { ten, numbers in
      let (first, last) = (numbers.min() ?? 0, numbers.max() ?? 0)
      let units = first == last ? "\(first % 10)" : "[\(first % 10)-\(last % 10)]"
      return (ten, units)
    }
    var (texts, tensOf): ([String], [String: [Int]]) = ([], [:])
    for (ten, units) in parts {
      if ten == 0 { texts.append(units) } else { tensOf[units, default: []].append(ten) }
    }
    for (units, list) in tensOf.sorted(by: { $0.value[0] < $1.value[0] }) {
      let digits = list.map(String.init).joined()
      texts.append((list.count == 1 ? digits : "[\(digits)]") + units)
    }
    return "0*(" + texts.joined(separator: "|") + ")"
  }
}

extension String {
  /// A pattern that matches the ASCII letters in any case.
  package var inAnyCase: String { map { "[\($0)\($0.uppercased())]" }.joined() }
}
