import FetchModel
import FetchValues

/// The encoding of failures and of run usage in messages between host and worker. Both the writer
/// and the reader shorten the texts of a failure. The reader also rejects a traceback with too many
/// frames, because a worker may send anything.
enum FailureCoding {
  static func readCode(_ reader: inout ValueReader) throws(ValueError) -> FailureCode {
    let name = try reader.readString()
    guard let code = FailureCode(rawValue: name) else {
      throw .unexpected("'\(name)'", wanted: "failure code")
    }
    return code
  }

  static func write(_ failure: Failure, _ writer: inout ValueWriter) {
    let failure = failure.bounded
    writer.write(failure.code.rawValue)
    writer.write(failure.message)
    writer.write(failure.retryable)
    writer.writeOptional(failure.file)
    writer.write(failure.line ?? 0)
    writer.beginArray(count: failure.traceback.count)
    for frame in failure.traceback { writer.write(frame) }
  }

  static func readFailure(_ reader: inout ValueReader) throws(ValueError) -> Failure {
    var failure = Failure(try readCode(&reader), try reader.readString())
    failure.retryable = try reader.readBool()
    failure.file = try reader.readOptionalString()
    let line = try reader.readInteger()
    failure.line = line > 0 ? Int(line) : nil
    let frameCount = try reader.readArrayHead()
    guard frameCount <= Failure.tracebackCountMax else {
      throw .unexpected("\(frameCount) frames", wanted: "short traceback")
    }
    for _ in 0..<frameCount { failure.traceback.append(try reader.readString()) }
    return failure.bounded
  }

  static func write(_ usage: RunUsage, _ writer: inout ValueWriter) {
    let (seconds, attoseconds) = usage.cpu.components
    writer.write(seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000)
    writer.write(usage.memoryPeakBytes)
    writer.write(usage.hostCallCount)
    writer.write(usage.sliceCount)
  }

  /// Reads the usage of a run. Each negative number is read as 0.
  static func readUsage(_ reader: inout ValueReader) throws(ValueError) -> RunUsage {
    var usage = RunUsage()
    usage.cpu = .nanoseconds(max(0, try reader.readInteger()))
    usage.memoryPeakBytes = Int(max(0, try reader.readInteger()))
    usage.hostCallCount = Int(max(0, try reader.readInteger()))
    usage.sliceCount = Int(max(0, try reader.readInteger()))
    return usage
  }
}
