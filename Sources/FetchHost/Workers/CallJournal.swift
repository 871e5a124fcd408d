import FetchValues

/// The calls of one run and their answers. A run that is repeated after a crash may make the same
/// calls again. The journal answers these calls, so that no effect happens twice.
struct CallJournal {
  private struct Entry {
    var recorded: RecordedCall
    var answer: HostCallAnswer?
    var isUsed = true

    /// Whether the entry may answer this call. Equal arguments have the same length in any order of
    /// their fields.
    func mayAnswer(_ call: HostCall) -> Bool {
      !isUsed && recorded.call.arguments.count == call.arguments.count
        && recorded.call.name.utf8.elementsEqual(call.name.utf8)
    }
  }

  private var entries: [Entry] = []
  private var keptBytes = 0
  /// The number of bytes of arguments of which `match` has computed fingerprints so far. Tests
  /// check with it that a hostile worker cannot cause more work than its bytes deserve.
  private(set) var fingerprintedBytes = 0
  /// Whether the journal was dropped because of its size, so that the run can no longer be
  /// repeated.
  private(set) var isIncomplete = false

  /// The maximum size of one run's journal, in bytes. The journal of most runs has one answer of
  /// about 50 KB. A run whose calls and answers exceed the limit is not repeated when its worker
  /// crashes.
  static let keptBytesMax = 64 << 20

  /// Begins another attempt, in which each recorded call may be made once more.
  mutating func rewind() {
    for index in entries.indices { entries[index].isUsed = false }
  }

  /// Finds the first call of an earlier attempt that equals `call` and has not been repeated yet.
  /// Marks it as repeated. Returns its index; nil if there is no such call.
  ///
  /// Calls are equal if their names and arguments are equal. The order of fields does not matter,
  /// because a Lua table has no order. The worker is untrusted, and this function runs on the
  /// thread of all workers. It therefore reads the arguments of `call` at most twice, and those of
  /// a recorded call at most once in all attempts, apart from the first candidate.
  mutating func match(_ call: HostCall) -> Int? {
    guard let first = entries.firstIndex(where: { $0.mayAnswer(call) }) else { return nil }
    if entries[first].recorded.call.arguments == call.arguments { return use(first) }
    let wanted = fingerprint(of: RecordedCall(call))
    for index in first..<entries.count where entries[index].mayAnswer(call) {
      let recorded = entries[index].recorded
      if fingerprint(of: recorded) == wanted { return use(index) }
    }
    return nil
  }

  private mutating func use(_ index: Int) -> Int {
    entries[index].isUsed = true
    return index
  }

  private mutating func fingerprint(of recorded: RecordedCall) -> Int {
    if let known = recorded.fingerprint { return known }
    fingerprintedBytes += recorded.call.arguments.count
    let fingerprint = ArgumentsFingerprint.of(recorded.call.arguments)
    recorded.fingerprint = fingerprint
    return fingerprint
  }

  mutating func add(_ call: HostCall) -> Int {
    // Shares the bytes with the last call that takes items if both calls are equal. Each checkpoint
    // contains the whole state, which is often unchanged.
    if let last = entries.last(where: { $0.recorded.call.takesItems }), last.recorded.call == call {
      entries.append(Entry(recorded: last.recorded))
    } else {
      entries.append(Entry(recorded: RecordedCall(call)))
      keep(call.arguments.count)
    }
    return entries.count - 1
  }

  subscript(index: Int) -> HostCallAnswer? {
    entries.indices.contains(index) ? entries[index].answer : nil
  }

  mutating func answer(_ index: Int, _ answer: HostCallAnswer) {
    guard entries.indices.contains(index), !isIncomplete else { return }
    entries[index].answer = answer
    if case .returns(let bytes) = answer { keep(bytes.count) }
  }

  private mutating func keep(_ count: Int) {
    keptBytes += count
    guard keptBytes > Self.keptBytesMax else { return }
    isIncomplete = true
    let nothing = Entry(recorded: RecordedCall(HostCall(name: "", arguments: [])))
    entries = Array(repeating: nothing, count: entries.count)
  }
}

/// A call in the journal. Entries with equal calls share it, and thus also its fingerprint.
private final class RecordedCall {
  let call: HostCall
  /// See `ArgumentsFingerprint`; nil if it has not been needed yet.
  var fingerprint: Int?

  init(_ call: HostCall) { self.call = call }
}

/// The computation of a hash of encoded arguments that does not depend on the order of fields.
///
/// Arguments with equal fingerprints count as equal. A worker cannot construct other arguments with
/// the same fingerprint, because the seed of `Hasher` is random in each process of the host.
private enum ArgumentsFingerprint {
  static func of(_ encoded: [UInt8]) -> Int {
    encoded.withUnsafeBytes { bytes in
      var hasher = Hasher()
      do throws(ValueError) {
        var reader = ValueReader(bytes)
        while !reader.isAtEnd { hasher.combine(try hash(&reader, depth: 0)) }
        return hasher.finalize()
      } catch {
        // The supervisor weighs arguments before, so that these bytes are valid.
        hasher.combine(bytes: bytes)
        return hasher.finalize()
      }
    }
  }

  private static func hash(
    _ reader: inout ValueReader, depth: Int
  ) throws(ValueError) -> Int {
    guard depth <= ValueReader.depthMaxDefault else { throw .tooDeep(ValueReader.depthMaxDefault) }
    var hasher = Hasher()
    let tag = try reader.peekTag()
    switch tag {
    case ValueTag.string, ValueTag.shortString:
      hasher.combine(ValueTag.string)
      hasher.combine(bytes: try reader.readStringBytes())
    case ValueTag.array:
      let count = try reader.readArrayHead()
      hasher.combine(tag)
      hasher.combine(count)
      for _ in 0..<count { hasher.combine(try hash(&reader, depth: depth + 1)) }
    case ValueTag.object:
      let count = try reader.readObjectHead()
      hasher.combine(tag)
      hasher.combine(count)
      hasher.combine(try hash(members: count, &reader, depth: depth))
    default:
      let value = reader.unread
      try reader.skipValue()
      hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: value.dropLast(reader.remaining)))
    }
    return hasher.finalize()
  }

  /// Returns the sum of the hashes of an object's members, which does not depend on their order.
  private static func hash(
    members count: Int, _ reader: inout ValueReader, depth: Int
  ) throws(ValueError) -> Int {
    var sum = 0
    for _ in 0..<count {
      var member = Hasher()
      member.combine(bytes: try reader.readStringBytes())
      member.combine(try hash(&reader, depth: depth + 1))
      sum &+= member.finalize()
    }
    return sum
  }
}
