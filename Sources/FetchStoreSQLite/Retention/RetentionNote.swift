internal import FetchModel
internal import FetchValues

/// The store's memory of its retention, in the ledger: the rule, the progress of the active sweep,
/// and the end of the last one.
struct RetentionNote: Equatable {
  static let ledgerName = "retention"
  private static let fieldCount = 14

  /// The rule of the last config; nil means the default. Commands without a config use it.
  var retention: Retention?
  var endedAt: Timestamp?
  /// The end of the last sweep for lack of space.
  var pressedAt: Timestamp?
  /// The active sweep; nil if there is none.
  var sweep: RetentionSweep?
  /// The last change that a sweep with `versionCount` versions has checked. Each change makes at
  /// most one version superfluous, once.
  var versionsThrough: Int64 = 0
  var versionCount = Int.max

  /// The last ended sweep of this process.
  var last: RetentionSweep?

  init() {}

  /// Reads the note; unreadable content is from another version and counts as none.
  init(_ content: [UInt8]?) {
    guard let content else { return }
    let read = content.withUnsafeBytes { bytes -> RetentionNote? in
      var reader = ValueReader(bytes)
      return try? RetentionNote(from: &reader)
    }
    self = read ?? RetentionNote()
  }

  private init(from reader: inout ValueReader) throws(ValueError) {
    guard try reader.readArrayHead() == Self.fieldCount else { throw .truncated }
    if try reader.peekTag() == ValueTag.null {
      try reader.skipValue()
    } else {
      retention = try Retention(from: &reader)
    }
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

  /// Adopts a config's rule; if it differs, retention is due immediately.
  mutating func adopt(_ wanted: Retention) {
    guard wanted != retention ?? Retention() else { return }
    retention = wanted
    endedAt = nil
    pressedAt = nil
    sweep = nil
  }

  var encoded: [UInt8] {
    var writer = ValueWriter()
    writer.beginArray(count: Self.fieldCount)
    if let retention { retention.encode(into: &writer) } else { writer.writeNull() }
    func write(_ number: Int64?) {
      if let number { writer.write(number) } else { writer.writeNull() }
    }
    write(endedAt?.milliseconds)
    write(pressedAt?.milliseconds)
    writer.write(versionsThrough)
    writer.write(Int64(versionCount))
    let place = sweep ?? RetentionSweep(isPressed: false)
    write(sweep.map { Int64($0.part.rawValue) })
    writer.write(place.isPressed ? Int64(1) : 0)
    writer.write(place.number)
    writer.write(place.job)
    writer.write(place.key)
    write(place.newest)
    write(place.oldest)
    writer.write(place.isSecondTime ? Int64(1) : 0)
    writer.write(Int64(place.removedCount))
    return writer.bytes
  }
}
