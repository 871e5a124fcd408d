package import FetchModel
package import FetchValues

/// The names of most rows in the table `ledger`. The names are part of the store's format. If a
/// name changed, the entries that older versions of fetchrun wrote would be lost.
package enum LedgerName {
  package static let budget = "budget"
  package static let pausedAll = "pausedAll"
  package static let learned = "adaptive"
  package static let seed = "seed"
  package static let habits = "reads"
  package static let habitsOfJobs = "readsOfJobs"
  package static let waits = "stale waits"
  package static let configs = "configs"
  /// The beginning of the name of a lane's entry. The lane's hostname follows it.
  package static let lanePrefix = "lane "

  package static func pace(ofHook hook: HookName) -> String { "hook rate \(hook)" }

  package static func firstSeen(_ job: JobName) -> String { "stale seen \(job)" }

  package static func stale(_ what: StaleRule.What, hook: HookName, job: JobName) -> String {
    "stale \(what.rawValue) \(hook) \(job)"
  }

  /// Returns the content of the entry `waits`.
  package static func content(_ waits: [JobName: Timestamp]) -> [UInt8] {
    var object = ValueObject()
    for (job, time) in waits.sorted(by: { $0.key < $1.key }) {
      object.append(job.text, .integer(time.milliseconds))
    }
    return Value.object(object).encoded
  }

  /// Reads the content of the entry `waits`. Unreadable parts are left out.
  package static func waits(in content: [UInt8]?) -> [JobName: Timestamp] {
    let object = (try? Value(encoded: content ?? []))?.objectValue ?? ValueObject()
    var waits: [JobName: Timestamp] = [:]
    for member in object.members {
      guard let time = member.value.integerValue else { continue }
      waits[JobName(member.key)] = Timestamp(milliseconds: time)
    }
    return waits
  }
}

/// The encoding of the time in the ledger's entries `firstSeen` and `stale`: eight bytes,
/// little-endian.
package enum StaleMark {
  package static func bytes(_ time: Timestamp) -> [UInt8] {
    withUnsafeBytes(of: time.milliseconds.littleEndian) { Array($0) }
  }

  /// Returns the time that the bytes encode; nil if there are not exactly eight bytes.
  package static func time(_ bytes: [UInt8]) -> Timestamp? {
    guard bytes.count == 8 else { return nil }
    let bits = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Timestamp(milliseconds: Int64(bitPattern: bits))
  }
}

extension SharedMemory {
  /// The ledger's rows for the parts of this memory, by entry name.
  package var ledger: [String: [UInt8]] {
    var ledger: [String: [UInt8]] = [:]
    if let budget { ledger[LedgerName.budget] = budget }
    if let learned { ledger[LedgerName.learned] = learned }
    if let habits { ledger[LedgerName.habits] = habits }
    if let habitsOfJobs { ledger[LedgerName.habitsOfJobs] = habitsOfJobs }
    if let seed { ledger[LedgerName.seed] = Self.encoded(Int64(bitPattern: seed)) }
    switch pause {
    case .since(let time): ledger[LedgerName.pausedAll] = Self.encoded(time.milliseconds)
    case .over: ledger[LedgerName.pausedAll] = Self.encoded(nil)
    case nil: break
    }
    for (hostname, marks) in lanes { ledger[LedgerName.lanePrefix + hostname] = marks }
    return ledger
  }

  /// Creates the memory from the ledger's rows. An unreadable seed counts as missing, and an
  /// unreadable pause counts as over.
  package init(ledger: [String: [UInt8]]) {
    self.init()
    budget = ledger[LedgerName.budget]
    learned = ledger[LedgerName.learned]
    habits = ledger[LedgerName.habits]
    habitsOfJobs = ledger[LedgerName.habitsOfJobs]
    seed = ledger[LedgerName.seed].flatMap(Self.integer).map { UInt64(bitPattern: $0) }
    pause = ledger[LedgerName.pausedAll].map { content in
      Self.integer(content).map { .since(Timestamp(milliseconds: $0)) } ?? .over
    }
    for (name, marks) in ledger where name.hasPrefix(LedgerName.lanePrefix) {
      lanes[String(name.dropFirst(LedgerName.lanePrefix.count))] = marks
    }
  }

  private static func encoded(_ number: Int64?) -> [UInt8] {
    var writer = ValueWriter()
    writer.writeOptional(number)
    return writer.bytes
  }

  private static func integer(_ content: [UInt8]) -> Int64? {
    try? ValueReader.read(content) { reader throws(ValueError) in try reader.readInteger() }
  }
}
