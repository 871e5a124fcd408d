import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchEngine

/// Tests of a daemon's answers to clients that wait for runs.
@Suite struct RunAnswerTests {
  private static let now = Timestamp(milliseconds: 1_795_168_800_123)

  private static func record(_ outcome: Outcome) -> RunRecord {
    var record = RunRecord(
      run: RunID(startedAt: now, random: (7, 8)), job: "a\"\n", plugin: "rss", trigger: .manual,
      outcome: outcome, startedAt: now)
    record.duration = .microseconds(1_234_567)
    record.cpu = .microseconds(45_678)
    record.requestCount = 3
    record.receivedBytes = 1 << 40
    record.nextDueAt = now + .seconds(900)
    record.note = "6 downloads queued"
    return record
  }

  private static let failure = Failure(
    .pluginError, "no", retryable: true, file: "a.lua", line: 7, traceback: ["a.lua:7", "b"])

  private static let answers: [RunAnswer] =
    [
      .refused(job: "a", why: "it is paused"), .notDue(job: "a", why: "it is due at noon"),
      .awaited(3), .log(job: "a", LogLine(.warning, "ü")),
      .notice(job: "a", sentence: "it works again"), .notRun(job: "a", why: "the job was removed"),
      .ended(record(.newData(ChangeCounts(added: 1, updated: 2, removed: 3)))),
      .ended(record(.failed(failure))), .ended(record(.failed(Failure(.offline, "no")))),
    ] + NoDataReason.allCases.map { .ended(record(.noData($0))) }

  private func passed(_ answer: RunAnswer) throws -> RunAnswer? {
    let bytes = ControlReply.line(answer.value).bytes
    #expect(bytes.count <= ControlReply.bytesMax)
    guard case .line(let value) = try ControlReply(line: Array(bytes.dropLast())) else {
      return nil
    }
    return RunAnswer(value)
  }

  @Test(arguments: answers) func `each answer becomes one line and is read back`(answer: RunAnswer)
    throws
  {
    #expect(try passed(answer) == answer)
  }

  @Test func `a record is printed identically after it was sent, to the last digit`() throws {
    for microseconds in [0, 1, 49, 50, 499, 500, 501, 999_499, 999_500, 123_456_789] {
      var record = Self.record(.noData(.empty))
      record.duration = .microseconds(microseconds) + .nanoseconds(999)
      record.cpu = .microseconds(microseconds) + .nanoseconds(1)
      guard case .ended(let back) = try passed(.ended(record)) else { throw Unreadable() }
      #expect(back.json == record.json)
    }
  }

  @Test func `an answer fits into a line, however much a plugin logs`() throws {
    let long = String(repeating: "\u{1}", count: 4 << 20)
    var failure = Self.failure
    failure.message = long
    failure.traceback = Array(repeating: String(repeating: "\u{1}", count: 5000), count: 10_000)
    guard case .ended(let record) = try passed(.ended(Self.record(.failed(failure)))) else {
      throw Unreadable()
    }
    let told = try #require(record.outcome.failure)
    #expect(told.message.utf8.count == RunAnswer.textBytesMax + 3)
    #expect(told.traceback.count == 13)
    #expect(try passed(.log(job: "a", LogLine(.info, long))) != nil)
    #expect(try passed(.notRun(job: "a", why: String(repeating: "é", count: 1 << 20))) != nil)
  }

  @Test func `any line is read as an answer or rejected, never a trap`() throws {
    var chance = SplitMix(state: 4)
    for answer in Self.answers {
      let bytes = ControlReply.line(answer.value).bytes
      for _ in 0..<400 {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...4, using: &chance) {
          changed[Int.random(in: 0..<bytes.count, using: &chance)] = UInt8.random(
            in: 0x20...0x7E, using: &chance)
        }
        guard case .line(let value)? = try? ControlReply(line: Array(changed.dropLast())),
          case .ended(let record) = RunAnswer(value)
        else { continue }
        #expect(!record.json.isEmpty)
      }
    }
    for extreme in [Int64.min, -1, .max] {
      var value = Self.record(.newData(ChangeCounts())).value.objectValue ?? ValueObject()
      for key in value.keys where value[key]?.integerValue != nil { value[key] = .integer(extreme) }
      guard case .ended(let record) = RunAnswer(["run": .object(value)]) else { throw Unreadable() }
      #expect(!record.json.isEmpty)
    }
  }

  private struct Unreadable: Error {}
}
