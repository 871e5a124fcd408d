import FetchModel
import FetchValues
import FetchWire
import Testing

struct MessageTests {
  private static let failure = Failure(
    .cpuLimit, "too slow", retryable: true, file: "a.lua", line: 7, traceback: ["a.lua:7", "b"])

  private static var usage: RunUsage {
    var usage = RunUsage()
    usage.cpu = .nanoseconds(12_345_678_901)
    usage.memoryPeakBytes = 1 << 33
    usage.hostCallCount = 3
    usage.sliceCount = 9
    return usage
  }

  private static var report: IsolationReport {
    var report = IsolationReport()
    report.seccomp = true
    report.landlockABI = 7
    report.filterProblem = 22
    return report
  }

  private static let plugin = PluginSource(
    name: "n", fileName: "n.lua", text: [1, 255, 0],
    libraries: [.init(name: "dates", fileName: "lib/dates.lua", text: [])])

  @Test func `a plugin's message arrives completely`() throws {
    let message = try sent { writer throws(WireError) in try writer.load(Self.plugin) }
    try message.host { message in
      guard case .load(let plugin) = message else { throw Unexpected() }
      #expect(plugin == Self.plugin)
    }
  }

  @Test func `the start of a run carries limits, seed and arguments`() throws {
    var limits = RunLimits()
    limits.window = .milliseconds(1500)
    limits.items = 7
    let arguments = (["state": nil] as Value).encoded
    let message = try sent { writer throws(WireError) in
      let problem: WireError? = arguments.withUnsafeBytes { bytes in
        let start = StartMessage(
          entry: "fetch", limits: limits, seed: .max, arguments: bytes)
        do throws(WireError) {
          try writer.start(start, run: 1)
          return nil
        } catch { return error }
      }
      if let problem { throw problem }
    }
    try message.host { message in
      guard case .start(let start) = message else { throw Unexpected() }
      #expect(start.entry == "fetch")
      #expect(start.limits == limits)
      #expect(start.seed == .max)
      #expect(Array(start.arguments) == arguments)
    }
  }

  @Test func `replies and cancellations arrive`() throws {
    let reply = try sent { writer throws(WireError) in
      try writer.reply(raised: true, [1, 2], run: 1)
    }
    try reply.host { message in
      guard case .reply(true, let bytes) = message else { throw Unexpected() }
      #expect(Array(bytes) == [1, 2])
    }
    let cancel = try sent { writer throws(WireError) in
      try writer.cancel(.timeLimit, "late", run: 1)
    }
    try cancel.host { message in
      guard case .cancel(.timeLimit, "late") = message else { throw Unexpected() }
    }
  }

  @Test func `a worker's messages arrive`() throws {
    try sent { writer throws(WireError) in try writer.hello(Self.report) }.worker { message in
      guard case .hello(WireLimits.protocolVersion, Self.report) = message else {
        throw Unexpected()
      }
    }
    try sent { writer throws(WireError) in try writer.loadFailed(Self.failure) }
      .worker { message in
        guard case .loadFailed(Self.failure) = message else { throw Unexpected() }
      }
    try sent { writer throws(WireError) in
      try writer.failed(Self.failure, Self.usage, run: 1)
    }.worker { message in
      guard case .failed(Self.failure, Self.usage) = message else { throw Unexpected() }
    }
    try sent { writer throws(WireError) in
      try writer.finished(state: nil, Self.usage, run: 1)
    }.worker { message in
      guard case .finished(nil, Self.usage) = message else { throw Unexpected() }
    }
    try sent { writer throws(WireError) in try writer.nothing(run: 1) }.worker { message in
      guard case .nothing = message else { throw Unexpected() }
    }
    try sent { writer throws(WireError) in try writer.note("ü", run: 1) }.worker { message in
      guard case .note("ü") = message else { throw Unexpected() }
    }
    let links = HubLinks(hub: "https://hub.test/", own: nil)
    try sent { writer throws(WireError) in try writer.links(links, run: 1) }.worker { message in
      guard case .links(links) = message else { throw Unexpected() }
    }
    try sent { writer throws(WireError) in try writer.whole(run: 1) }.worker { message in
      guard case .whole = message else { throw Unexpected() }
    }
    try sent { writer throws(WireError) in
      try writer.log(LogLine(.warning, "ü"), run: 1)
    }.worker { message in
      guard case .log(LogLine(.warning, "ü")) = message else { throw Unexpected() }
    }
  }

  @Test func `feed hints are read within their limits or refused`() throws {
    var hints = FeedHints()
    hints.ttl = .seconds(3600)
    hints.skipDays = 1
    let message = try sent { writer throws(WireError) in try writer.hints(hints, run: 1) }
    try message.worker { message in
      guard case .hints(hints) = message else { throw Unexpected() }
    }
    for bad in [[], [UInt8](repeating: 0, count: 40), (["ttl": 60] as Value).encoded] {
      #expect(throws: WireError.self) {
        try Sent(kind: message.kind, payload: bad).worker { _ in }
      }
    }
  }

  @Test func `a small payload of any kind is read as a message or an error`() {
    for kind in UInt8.min...UInt8.max { tryAll(kind) }
  }

  private func tryAll(_ kind: UInt8) {
    for payload in Self.samples(kind) {
      payload.withUnsafeBytes { bytes in
        let frame = Frame(run: 1, kind: kind, payload: bytes)
        _ = try? WorkerMessage.decode(frame)
        _ = try? HostMessage.decode(frame)
      }
    }
    #expect(throws: WireError.self) {
      try WorkerMessage.decode(
        Frame(run: 1, kind: kind | 0x80, payload: UnsafeRawBufferPointer(start: nil, count: 0)))
    }
  }

  /// Returns prefixes and mutations of valid messages, from a random generator with a fixed seed.
  private static func samples(_ kind: UInt8) -> [[UInt8]] {
    var writer = ValueWriter()
    writer.write("fetch")
    writer.write(true)
    for number in 0..<10 { writer.write(number * 1000) }
    writer.beginArray(count: 3)
    writer.write("text")
    let whole = writer.bytes
    var state = UInt64(kind) &+ 1
    func next() -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33)
    }
    return (0...whole.count).map { Array(whole[..<$0]) }
      + (0..<200).map { _ in
        var bytes = whole
        for _ in 0..<3 { bytes[next() % bytes.count] = UInt8(truncatingIfNeeded: next()) }
        return bytes
      }
  }
}

struct Unexpected: Error {}

/// A frame that was written and read back.
struct Sent {
  let kind: UInt8
  let payload: [UInt8]

  func host(_ body: (HostMessage) throws -> Void) throws {
    try payload.withUnsafeBytes { bytes in
      try body(try HostMessage.decode(Frame(run: 1, kind: kind, payload: bytes)))
    }
  }

  func worker(_ body: (WorkerMessage) throws -> Void) throws {
    try payload.withUnsafeBytes { bytes in
      try body(try WorkerMessage.decode(Frame(run: 1, kind: kind, payload: bytes)))
    }
  }
}

func sent(_ body: (inout FrameWriter) throws(WireError) -> Void) throws -> Sent {
  let pair = try SocketPair()
  var writer = FrameWriter()
  try body(&writer)
  #expect(try writer.flush(to: pair.near))
  var reader = FrameReader()
  _ = try reader.fill(from: pair.far)
  guard let frame = try reader.next() else { throw Unexpected() }
  return Sent(kind: frame.kind, payload: Array(frame.payload))
}
