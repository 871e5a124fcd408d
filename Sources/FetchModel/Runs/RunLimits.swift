package import FetchValues

/// The limits of one run. A run that exceeds a limit ends as `failed` with a code for the limit,
/// with two exceptions. The plugin can handle the failure of a call that exceeds `bodyBytes`,
/// `decompressionRatio` or `nesting`. Waiting longer than `waiting` only counts toward `window`.
///
/// The property names are the names in a job's `limits:` and in messages.
package struct RunLimits: Equatable, Sendable {
  /// The maximum time in which a run, or a call of a hook file, must have its result. Waits for a
  /// worker process, and the waits that `waiting` allows, are not counted.
  package var window: Duration = .seconds(30)
  /// The maximum total time for which the window is suspended while the run waits. The run waits if
  /// all its current requests wait for the limits of their hostnames. Waiting beyond this maximum
  /// counts toward `window`. The default is enough for six hundred requests with the usual gap of a
  /// second.
  package var waiting: Duration = .seconds(600)
  /// The maximum CPU time of the plugin's code and of the library functions that it calls. Real
  /// plugins use milliseconds.
  package var cpu: Duration = .seconds(5)
  /// The maximum memory of the run's Lua state, in bytes.
  package var memoryBytes: Int = 64 << 20
  /// The maximum size of one answer's body after decompression, in bytes.
  package var bodyBytes: Int = 16 << 20
  /// The maximum ratio of decompressed to received size, for bodies of more than 1 MiB after
  /// decompression. A higher ratio is treated as an attack. Deflate can reach a ratio of 1032.
  package var decompressionRatio: Int = 200
  /// The maximum number of host calls, such as requests, checkpoints and file operations.
  package var hostCalls: Int = 1_000
  package var items: Int = 100_000
  /// The maximum encoded size of a run's items and state together, in bytes.
  package var resultBytes: Int = 32 << 20
  package var logBytes: Int = 64 << 10
  /// The maximum depth of nested tables in a value that is passed to the host.
  package var nesting: Int = 64

  package init() {}

  /// The maximum memory of a run's decoded items and state, in bytes, as `ValueWeight` counts it.
  /// It is twice `resultBytes`, because decoded values need more memory. For example, 100,000 items
  /// with an id, a title, an address and a date need 18 MB encoded and 48 MB decoded.
  package var resultWeight: Int { 2 * resultBytes }

  /// The maximum memory, in bytes, that the arguments of one host call may need beyond their
  /// encoded size. The limit can be small, because a request's body is one string, and a request
  /// has few headers.
  package static let argumentExcessBytesMax = 4 << 20
  /// The maximum memory of the table that a plugin's file returns, in bytes. The functions in the
  /// table are not counted.
  package static let manifestWeightMax = 8 << 20

  /// The time that a worker process gets to stop a run after the host has ended the run. After this
  /// time, the host kills the process.
  package static let windowGrace: Duration = .seconds(2)
  /// The maximum size of the text of one Lua file, in bytes. The largest known scripts have about
  /// 50 KB.
  package static let sourceBytesMax = 1 << 20
}

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
    // The encoder's own limit is a depth of 128.
    case "nesting": .count(1...120)
    default: nil
    }
  }

  /// Sets one limit from a value in a config. A duration has a unit (`30s`). A size is a number of
  /// bytes or has a unit (`64MB`). A count is a whole number. Throws an error that says what is
  /// valid.
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
      let number = value.stringValue ?? value.numberValue.flatMap { _ in value.displayText }
      let hint = number.flatMap(Duration.unitHint).map { ": \($0)" } ?? ""
      throw RunLimitProblem(
        description: "the limit \(name) must be a duration such as 30s, more than zero and"
          + " at most \(max.shortText)\(hint)")
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
      let least = ByteSize(bytes: Int64(range.lowerBound))
      let most = ByteSize(bytes: Int64(range.upperBound))
      throw RunLimitProblem(
        description: "the limit \(name) must be a size from \(least) to \(most), such as 16MB")
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

/// The error for an invalid limit in a config. The description says what is valid.
package struct RunLimitProblem: Error, Equatable, CustomStringConvertible {
  package var description: String
}
