package import FetchValues

/// The number and effect of a hostname's refusals in the runs of all jobs. They are stored across
/// restarts, because five consecutive runs may be in five processes. The times of Retry-After are
/// stored elsewhere.
package struct LaneMarks: Hashable, Sendable {
  /// The numbers of consecutive refusals: see `Lane.forbiddenCount` and `Lane.stormCount`.
  var forbiddenCount = 0
  var stormCount = 0
  /// The time until which the hostname is closed because of refusals; nil if it is open. `closure`
  /// is the reason.
  package internal(set) var closedUntil: Timestamp?
  var closure: LaneClosure = .tooManyRequests
}

extension LaneMarks: StoredCoding {
  /// Writes a list of four elements. They are both counts, the time until which the hostname is
  /// closed (or null), and the number of 403 answers that led to the closure, which is 0 for a 429.
  package func encode(into writer: inout ValueWriter) {
    writer.beginArray(count: 4)
    writer.write(forbiddenCount)
    writer.write(stormCount)
    writer.writeOptional(closedUntil?.milliseconds)
    if case .forbidden(let count) = closure { writer.write(count) } else { writer.write(0) }
  }

  package init(from reader: inout ValueReader) throws(ValueError) {
    guard try reader.readArrayHead() == 4 else { throw .truncated }
    forbiddenCount = try Self.count(&reader)
    stormCount = try Self.count(&reader)
    closedUntil = try reader.readOptionalTime()
    let count = try Self.count(&reader)
    closure = count > 0 ? .forbidden(count) : .tooManyRequests
  }

  private static func count(_ reader: inout ValueReader) throws(ValueError) -> Int {
    max(0, min(Int(clamping: try reader.readInteger()), 1 << 30))
  }
}

extension Lane {
  var marks: LaneMarks {
    var marks = LaneMarks(forbiddenCount: forbiddenCount, stormCount: stormCount)
    if closure != .retryAfter { (marks.closedUntil, marks.closure) = (closedUntil, closure) }
    return marks
  }

  /// Continues with the marks that an earlier process stored. If the clock was set back, the
  /// closure is limited to the longest possible closure.
  mutating func resume(_ marks: LaneMarks, now: Timestamp) {
    forbiddenCount = marks.forbiddenCount
    stormCount = marks.stormCount
    guard let until = marks.closedUntil, until > now, until >= closedUntil else { return }
    closedUntil = min(until, now + Self.closedMax)
    closure = marks.closure
  }
}

extension Scheduler {
  /// Returns the marks that have changed since the last call, in the order of their hostnames.
  package mutating func takeLaneMarks() -> [(hostname: String, marks: LaneMarks)] {
    defer { markedLanes = [] }
    return markedLanes.map { (lanes[Int($0)].hostname, lanes[Int($0)].marks) }
      .sorted { ExactText($0.0) < ExactText($1.0) }
  }

  /// Restores the marks of a hostname that an earlier process stored.
  package mutating func resume(_ hostname: String, _ marks: LaneMarks, now: Timestamp) {
    see(now)
    let number = Int(lane(of: hostname))
    lanes[number].resume(marks, now: seenAt)
    refresh(lane: number)
  }

  mutating func change(lane number: Int, _ body: (inout Lane) -> Void) {
    let before = lanes[number].marks
    body(&lanes[number])
    if lanes[number].marks != before { markedLanes.insert(Int32(truncatingIfNeeded: number)) }
  }
}
