package import FetchValues

extension RunLimits {
  /// The names of the limits in a job's `limits:` and in messages.
  package static let names = [
    "window", "waiting", "cpu", "memoryBytes", "bodyBytes", "decompressionRatio", "hostCalls",
    "items", "resultBytes", "logBytes", "nesting",
  ]

  /// The limits that differ from the defaults, by name, in the form that `set` accepts.
  package var unusual: ValueObject {
    let usual = RunLimits()
    let durations = [
      ("window", window, usual.window), ("waiting", waiting, usual.waiting),
      ("cpu", cpu, usual.cpu),
    ]
    let counts = [
      ("memoryBytes", memoryBytes, usual.memoryBytes), ("bodyBytes", bodyBytes, usual.bodyBytes),
      ("decompressionRatio", decompressionRatio, usual.decompressionRatio),
      ("hostCalls", hostCalls, usual.hostCalls), ("items", items, usual.items),
      ("resultBytes", resultBytes, usual.resultBytes), ("logBytes", logBytes, usual.logBytes),
      ("nesting", nesting, usual.nesting),
    ]
    var unusual = ValueObject()
    for (name, own, usual) in durations where own != usual {
      unusual.append(name, .string("\(own.wholeMilliseconds)ms"))
    }
    for (name, own, usual) in counts where own != usual {
      unusual.append(name, .integer(Int64(own)))
    }
    return unusual
  }

  /// The type of a limit's value.
  package enum Kind: Sendable {
    case duration(max: Duration)
    case size(ClosedRange<Int>)
    case count(ClosedRange<Int>)
  }

  /// Returns the type of the limit with the given name; nil for an unknown name.
  package static func kind(of name: String) -> Kind? {
    switch name {
    case "window", "waiting": .duration(max: .seconds(86_400))
    case "cpu": .duration(max: .seconds(3_600))
    case "memoryBytes": .size(1 << 20...1 << 30)
    case "bodyBytes", "resultBytes": .size(1...40 << 20)
    case "logBytes": .size(0...16 << 20)
    case "decompressionRatio": .count(1...10_000)
    case "hostCalls", "items": .count(0...1_000_000)
    // The encoder's own limit is 128, whatever a job sets.
    case "nesting": .count(1...120)
    default: nil
    }
  }

  /// Sets one limit from a value in a config. Durations and sizes have units (`30s`, `64MB`), and
  /// counts are whole numbers. The thrown error shows a valid form.
  package mutating func set(_ name: String, to value: Value) throws(RunLimitProblem) {
    switch Self.kind(of: name) {
    case .duration(let max)?:
      let duration = try Self.duration(name, value, max: max)
      set(name, to: duration)
    case .size(let range)?: set(name, to: try Self.size(name, value, range))
    case .count(let range)?: set(name, to: try Self.count(name, value, range))
    case nil:
      throw RunLimitProblem(
        description:
          "unknown limit '\(name)'\(NearestName.hint(name, among: Self.names)); use one of "
          + Self.names.joined(separator: ", "))
    }
  }

  private mutating func set(_ name: String, to duration: Duration) {
    switch name {
    case "window": window = duration
    case "waiting": waiting = duration
    case "cpu": cpu = duration
    default: break
    }
  }

  private mutating func set(_ name: String, to number: Int) {
    switch name {
    case "memoryBytes": memoryBytes = number
    case "bodyBytes": bodyBytes = number
    case "resultBytes": resultBytes = number
    case "logBytes": logBytes = number
    case "decompressionRatio": decompressionRatio = number
    case "hostCalls": hostCalls = number
    case "items": items = number
    case "nesting": nesting = number
    default: break
    }
  }

  private static func duration(
    _ name: String, _ value: Value, max: Duration
  ) throws(RunLimitProblem) -> Duration {
    guard let text = value.stringValue, let duration = try? Duration(parsing: text),
      duration > .zero, duration <= max
    else {
      throw RunLimitProblem(
        description: "the limit \(name) must be a duration such as 30s, at most \(max.shortText)")
    }
    return duration
  }

  private static func size(
    _ name: String, _ value: Value, _ range: ClosedRange<Int>
  ) throws(RunLimitProblem) -> Int {
    let parsed = value.stringValue.flatMap { try? ByteSize(parsing: $0) }?.bytes
    guard let bytes = parsed ?? value.integerValue, let size = Int(exactly: bytes),
      range.contains(size)
    else {
      let most = ByteSize(bytes: Int64(range.upperBound))
      throw RunLimitProblem(
        description: "the limit \(name) must be a size such as 16MB, at most \(most)")
    }
    return size
  }

  private static func count(
    _ name: String, _ value: Value, _ range: ClosedRange<Int>
  ) throws(RunLimitProblem) -> Int {
    guard let number = value.integerValue, let count = Int(exactly: number), range.contains(count)
    else {
      throw RunLimitProblem(
        description: "the limit \(name) must be a whole number"
          + " from \(range.lowerBound) to \(range.upperBound)")
    }
    return count
  }
}

/// The error for an invalid limit in a config. The description shows a valid form.
package struct RunLimitProblem: Error, Equatable, CustomStringConvertible {
  package var description: String
}
