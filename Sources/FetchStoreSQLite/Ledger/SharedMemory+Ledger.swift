import FetchStore
import FetchValues

extension SharedMemory {
  /// The ledger's rows for the parts of this memory, by entry name.
  var ledger: [String: [UInt8]] {
    var ledger: [String: [UInt8]] = [:]
    ledger[LedgerName.budget] = budget
    ledger[LedgerName.learned] = learned
    ledger[LedgerName.habits] = habits
    ledger[LedgerName.habitsOfJobs] = habitsOfJobs
    ledger[LedgerName.seed] = seed.map { Self.encoded(Int64(bitPattern: $0)) }
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
  init(ledger: [String: [UInt8]]) {
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

extension WriterConnection {
  func setShared(_ memory: SharedMemory) throws {
    for (name, content) in memory.ledger { try setLedger(content, name: name) }
  }
}
