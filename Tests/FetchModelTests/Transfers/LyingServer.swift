import FetchModel
import FetchTestSupport
import FetchValues

/// A simulated server without a network. The server sometimes changes its file, and its answers are
/// sometimes truncated or wrong.
struct LyingServer {
  struct Answer {
    var status: Int
    var fields: [HTTPField]
    var body: ArraySlice<UInt8>
  }

  var chance: SeededGenerator
  private(set) var versions: [[UInt8]] = []
  /// The probability of a change at each request, in percent.
  var changePercent = 2
  var liePercent = 15
  var ignoresRanges = true
  let hasTags: Bool

  init(seed: UInt64) {
    chance = SeededGenerator(seed: seed)
    hasTags = Bool.random(using: &chance)
    change()
  }

  var current: [UInt8] { versions[versions.count - 1] }
  private var tag: String { "\"v\(versions.count)\"" }
  private var date: String {
    HTTPDate.text(Timestamp(seconds: 800_000_000 + Int64(versions.count) * 3_600))
  }

  private mutating func change() {
    let count = Int.random(in: 0...3_000, using: &chance)
    // Every byte differs from the previous version, so that mixed versions are noticed.
    let mark = UInt8(truncatingIfNeeded: versions.count)
    versions.append((0..<count).map { UInt8(truncatingIfNeeded: $0) &* 31 &+ mark })
  }

  private mutating func happens(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &chance) < percent
  }

  mutating func answer(_ request: [HTTPField]) -> Answer {
    if happens(changePercent) { change() }
    func sent(_ name: String) -> String? { request.first { $0.name == name }?.value }
    let start = sent("Range").flatMap { Int($0.dropFirst(6).dropLast()) }
    let condition = sent("If-Range")
    let isSame = condition == tag || condition == date
    var answer: Answer
    if let start, isSame || happens(liePercent / 3), !(ignoresRanges && happens(5)) {
      answer = start < current.count ? part(from: start) : unsatisfied()
    } else {
      answer = whole()
    }
    if happens(liePercent) { lie(in: &answer) }
    if happens(60) {
      answer.body = answer.body.prefix(Int.random(in: 0...answer.body.count, using: &chance))
    }
    return answer
  }

  private var validators: [HTTPField] {
    hasTags ? [HTTPField("etag", tag)] : [HTTPField("last-modified", date)]
  }

  private func whole() -> Answer {
    Answer(
      status: 200, fields: validators + [HTTPField("content-length", "\(current.count)")],
      body: current[...])
  }

  private mutating func part(from start: Int) -> Answer {
    let end =
      happens(20) ? Int.random(in: start..<current.count, using: &chance) + 1 : current.count
    let range = "bytes \(start)-\(end - 1)/\(happens(20) ? "*" : "\(current.count)")"
    return Answer(
      status: 206, fields: validators + [HTTPField("content-range", range)],
      body: current[start..<end])
  }

  private func unsatisfied() -> Answer {
    Answer(
      status: 416, fields: validators + [HTTPField("content-range", "bytes */\(current.count)")],
      body: [])
  }

  /// Removes headers, adds headers that contradict the body, or replaces the answer by another one
  /// without a body. Never adds headers with which another file would look like this file.
  private mutating func lie(in answer: inout Answer) {
    let names = ["etag", "content-range", "content-length"]
    switch Int.random(in: 0..<6, using: &chance) {
    case 0: answer.fields.removeAll { names.contains($0.name) && $0.name != "etag" }
    case 1: set("content-range", "bytes 0-9/10", in: &answer)
    case 2:
      set("content-range", "bytes \(Int.random(in: 0...9, using: &chance))-99999/*", in: &answer)
    case 3: answer = Answer(status: 416, fields: [], body: [])
    case 4:
      let status = [304, 500, 206][Int.random(in: 0..<3, using: &chance)]
      answer = Answer(status: status, fields: [], body: [])
    default: set("etag", "\"\(UInt64.random(in: .min ... .max, using: &chance))\"", in: &answer)
    }
  }

  private func set(_ name: String, _ value: String, in answer: inout Answer) {
    answer.fields.removeAll { $0.name == name }
    answer.fields.append(HTTPField(name, value))
  }
}
