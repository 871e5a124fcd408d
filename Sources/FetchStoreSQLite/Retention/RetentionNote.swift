internal import FetchModel
internal import FetchValues

/// The ledger's entry about retention. It has the rule, the progress of the active sweep, and the
/// end of the last sweep.
struct RetentionNote: Equatable, StoredCoding {
  static let ledgerName = "retention"
  private static let fieldCount = 14

  /// The rule of the last config, which commands without a config use. Nil means the default rule.
  var retention: Retention?
  var endedAt: Timestamp?
  /// The end of the last sweep that was made because space was short; nil if there was none.
  var pressedAt: Timestamp?
  /// The active sweep; nil if no sweep is active.
  var sweep: RetentionSweep?
  /// The sequence number of the last change that a sweep with `versionCount` versions has checked.
  /// Each change makes at most one version superfluous, so earlier changes need not be checked
  /// again.
  var versionsThrough: Int64 = 0
  var versionCount = Int.max

  /// The last sweep of this process that has ended.
  var last: RetentionSweep?

  init() {}

  /// Creates the note from its stored content. Unreadable content counts as an empty note, for
  /// example content of another version of fetchrun.
  init(_ content: [UInt8]?) {
    if let content, let read = try? RetentionNote(encoded: content) { self = read }
  }

  init(from reader: inout ValueReader) throws(ValueError) {
    guard try reader.readArrayHead() == Self.fieldCount else { throw .truncated }
    retention = try reader.readNull() ? nil : try Retention(from: &reader)
    endedAt = try reader.readOptionalInteger().map { Timestamp(milliseconds: $0) }
    pressedAt = try reader.readOptionalInteger().map { Timestamp(milliseconds: $0) }
    versionsThrough = try reader.readInteger()
    versionCount = Int(clamping: try reader.readInteger())
    let part = try reader.readOptionalInteger()
    var sweep = RetentionSweep(isPressed: try reader.readInteger() == 1)
    sweep.number = try reader.readInteger()
    sweep.job = try reader.readInteger()
    sweep.key = try reader.readString()
    sweep.newest = try reader.readOptionalInteger()
    sweep.oldest = try reader.readOptionalInteger()
    sweep.isSecondTime = try reader.readInteger() == 1
    sweep.removedCount = Int(clamping: try reader.readInteger())
    guard let part = part.flatMap({ Int(exactly: $0) }).flatMap(RetentionSweep.Part.init) else {
      return
    }
    sweep.part = part
    self.sweep = sweep
  }

  /// Sets the rule of a config. If it differs from the previous rule, retention is due immediately.
  mutating func adopt(_ wanted: Retention) {
    guard wanted != retention ?? Retention() else { return }
    retention = wanted
    endedAt = nil
    pressedAt = nil
    sweep = nil
  }

  func encode(into writer: inout ValueWriter) {
    writer.beginArray(count: Self.fieldCount)
    if let retention { retention.encode(into: &writer) } else { writer.writeNull() }
    writer.writeOptional(endedAt?.milliseconds)
    writer.writeOptional(pressedAt?.milliseconds)
    writer.write(versionsThrough)
    writer.write(Int64(versionCount))
    let place = sweep ?? RetentionSweep(isPressed: false)
    writer.writeOptional(sweep.map { Int64($0.part.rawValue) })
    writer.write(place.isPressed ? Int64(1) : 0)
    writer.write(place.number)
    writer.write(place.job)
    writer.write(place.key)
    writer.writeOptional(place.newest)
    writer.writeOptional(place.oldest)
    writer.write(place.isSecondTime ? Int64(1) : 0)
    writer.write(Int64(place.removedCount))
  }
}
