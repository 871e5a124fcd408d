package import FetchModel
import FetchValues

/// A message from a worker to the host. The message is untrusted input. Its byte ranges point into
/// the frame and are valid as long as the payload of the frame.
package enum WorkerMessage {
  /// The first message of a worker, which the worker sends after it has restricted itself.
  case hello(protocolVersion: Int, IsolationReport)
  /// The worker has compiled the plugin and read its table. The bytes are the encoded manifest.
  case loaded(UnsafeRawBufferPointer)
  case loadFailed(Failure)
  /// The run waits for a host call. The message has the call's name and an encoded list of its
  /// arguments.
  case request(name: String, arguments: UnsafeRawBufferPointer)
  /// A part of the result: encoded values one after another. For a plugin, the values are its
  /// items. For `on_item` of a hook file, there is one value for each item that the function
  /// received.
  case items(UnsafeRawBufferPointer)
  case log(LogLine)
  /// The combined hints of all feeds that the run has read, about the time of the next fetch. A
  /// worker sends this message before `finished`, and only if there are hints.
  case hints(FeedHints)
  /// The address of the WebSub hub and the source's own address, from the first feed that the run
  /// has read. If the run has read no feed and parsed exactly one HTML page with an address, the
  /// links are from this page. A worker sends this message before `finished`.
  case links(HubLinks)
  /// The plugin declared that its result has every item of the source. A worker sends this message
  /// before `finished`.
  case whole
  /// The plugin's function returned no value, or nil without a message. A worker sends this message
  /// before `finished`.
  case nothing
  /// The plugin's short note on the run. A worker sends this message before `finished`.
  case note(String)
  /// The run succeeded. The state is an encoded table, or nil if it has not changed since the start
  /// of the run.
  case finished(state: UnsafeRawBufferPointer?, RunUsage)
  case failed(Failure, RunUsage)
  case pong

  package enum Kind: UInt8 {
    case hello = 1, loaded, loadFailed, request, items, log, finished, failed, pong, hints, whole,
      nothing, note, links
  }

  package static func decode(_ frame: Frame) throws(WireError) -> WorkerMessage {
    guard let kind = Kind(rawValue: frame.kind) else { throw .unknownKind(frame.kind) }
    guard frame.payload.count <= kind.payloadBytesMax else {
      throw .payloadTooLong(frame.payload.count)
    }
    do { return try decode(kind, frame.payload) } catch { throw .invalidValue(error) }
  }

  private static func decode(
    _ kind: Kind, _ payload: UnsafeRawBufferPointer
  ) throws(ValueError) -> WorkerMessage {
    var reader = ValueReader(payload)
    switch kind {
    case .hello: return try readHello(&reader)
    case .loaded: return .loaded(payload)
    case .loadFailed: return .loadFailed(try FailureCoding.readFailure(&reader))
    case .request:
      let name = try reader.readString()
      guard name.utf8.count <= WireLimits.callNameBytesMax else {
        throw .unexpected(
          "a name of \(name.utf8.count) bytes",
          wanted: "a call name of at most \(WireLimits.callNameBytesMax) bytes")
      }
      return .request(
        name: name, arguments: UnsafeRawBufferPointer(rebasing: payload[reader.offset...]))
    case .items: return .items(payload)
    case .log: return .log(try readLogLine(&reader))
    case .finished:
      let usage = try FailureCoding.readUsage(&reader)
      let rest = UnsafeRawBufferPointer(rebasing: payload[reader.offset...])
      return .finished(state: rest.isEmpty ? nil : rest, usage)
    case .failed:
      let failure = try FailureCoding.readFailure(&reader)
      return .failed(failure, try FailureCoding.readUsage(&reader))
    case .pong: return .pong
    case .hints: return .hints(try FeedHints(from: &reader))
    case .links: return .links(try readLinks(&reader))
    case .whole: return .whole
    case .nothing: return .nothing
    case .note: return .note(try reader.readString())
    }
  }

  private static func readHello(_ reader: inout ValueReader) throws(ValueError) -> WorkerMessage {
    let version = Int(try reader.readInteger())
    var report = IsolationReport()
    // The version is the only field that has the same place in all versions of this message.
    guard version == WireLimits.protocolVersion else {
      return .hello(protocolVersion: version, report)
    }
    report.seccomp = try reader.readBool()
    report.landlockABI = Int(try reader.readInteger())
    report.noNewPrivileges = try reader.readBool()
    report.resourceLimits = try reader.readBool()
    report.filterProblem = Int(try reader.readInteger())
    return .hello(protocolVersion: version, report)
  }

  private static func readLinks(_ reader: inout ValueReader) throws(ValueError) -> HubLinks {
    func address(_ text: String) -> String? { text.isEmpty ? nil : text }
    let hub = address(try reader.readString())
    return HubLinks(hub: hub, own: address(try reader.readString()))
  }

  private static func readLogLine(_ reader: inout ValueReader) throws(ValueError) -> LogLine {
    let name = try reader.readString()
    guard let level = LogLine.Level(rawValue: name) else {
      throw .unexpected("'\(name)'", wanted: "log level")
    }
    return LogLine(level, try reader.readString())
  }
}

extension WorkerMessage.Kind {
  /// The maximum length of the payload of a message of this kind, in bytes.
  fileprivate var payloadBytesMax: Int {
    switch self {
    case .links: WireLimits.linksBytesMax
    case .hello, .hints, .note: WireLimits.factsBytesMax
    case .pong, .whole, .nothing: 0
    case .loadFailed, .failed: WireLimits.failureBytesMax
    case .log: WireLimits.logLineBytesMax
    case .loaded, .request, .items, .finished: WireLimits.payloadBytesMax
    }
  }
}

extension FrameWriter {
  package mutating func hello(_ report: IsolationReport) throws(WireError) {
    var writer = ValueWriter(reserving: 32)
    writer.write(WireLimits.protocolVersion)
    writer.write(report.seccomp)
    writer.write(report.landlockABI)
    writer.write(report.noNewPrivileges)
    writer.write(report.resourceLimits)
    writer.write(report.filterProblem)
    try append(kind: WorkerMessage.Kind.hello.rawValue, run: 0, payload: writer.bytes)
  }

  package mutating func loaded(_ manifest: [UInt8]) throws(WireError) {
    try append(kind: WorkerMessage.Kind.loaded.rawValue, run: 0, payload: manifest)
  }

  package mutating func loadFailed(_ failure: Failure) throws(WireError) {
    var writer = ValueWriter(reserving: 256)
    FailureCoding.write(failure, &writer)
    try append(kind: WorkerMessage.Kind.loadFailed.rawValue, run: 0, payload: writer.bytes)
  }

  package mutating func nothing(run: UInt32) throws(WireError) {
    try append(kind: WorkerMessage.Kind.nothing.rawValue, run: run)
  }

  /// Writes a note. The host rejects a text longer than `WireLimits.noteBytesMax`.
  package mutating func note(_ text: String, run: UInt32) throws(WireError) {
    var writer = ValueWriter(reserving: 64)
    writer.write(text)
    try append(kind: WorkerMessage.Kind.note.rawValue, run: run, payload: writer.bytes)
  }

  /// Writes a request for a host call. `arguments` are `count` encoded values.
  package mutating func request(
    name: UnsafeRawBufferPointer, count: Int, arguments: UnsafeRawBufferPointer, run: UInt32
  ) throws(WireError) {
    var writer = ValueWriter(reserving: 64)
    writer.write(bytes: name)
    writer.beginArray(count: count)
    try append(.request, run: run, head: writer.bytes, body: arguments)
  }

  package mutating func items(_ items: [UInt8], run: UInt32) throws(WireError) {
    try append(kind: WorkerMessage.Kind.items.rawValue, run: run, payload: items)
  }

  package mutating func log(_ line: LogLine, run: UInt32) throws(WireError) {
    var writer = ValueWriter(reserving: 128)
    writer.write(line.level.rawValue)
    writer.write(line.message)
    try append(kind: WorkerMessage.Kind.log.rawValue, run: run, payload: writer.bytes)
  }

  package mutating func hints(_ hints: FeedHints, run: UInt32) throws(WireError) {
    try append(kind: WorkerMessage.Kind.hints.rawValue, run: run, payload: hints.encoded)
  }

  package mutating func links(_ links: HubLinks, run: UInt32) throws(WireError) {
    var writer = ValueWriter(reserving: 128)
    writer.write(links.hub ?? "")
    writer.write(links.own ?? "")
    try append(kind: WorkerMessage.Kind.links.rawValue, run: run, payload: writer.bytes)
  }

  package mutating func whole(run: UInt32) throws(WireError) {
    try append(kind: WorkerMessage.Kind.whole.rawValue, run: run)
  }

  package mutating func finished(
    state: UnsafeRawBufferPointer?, _ usage: RunUsage, run: UInt32
  ) throws(WireError) {
    var writer = ValueWriter(reserving: 64)
    FailureCoding.write(usage, &writer)
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    try append(.finished, run: run, head: writer.bytes, body: state ?? empty)
  }

  package mutating func failed(
    _ failure: Failure, _ usage: RunUsage, run: UInt32
  ) throws(WireError) {
    var writer = ValueWriter(reserving: 256)
    FailureCoding.write(failure, &writer)
    FailureCoding.write(usage, &writer)
    try append(kind: WorkerMessage.Kind.failed.rawValue, run: run, payload: writer.bytes)
  }

  package mutating func pong() throws(WireError) {
    try append(kind: WorkerMessage.Kind.pong.rawValue, run: 0)
  }

  private mutating func append(
    _ kind: WorkerMessage.Kind, run: UInt32, head: [UInt8], body: UnsafeRawBufferPointer
  ) throws(WireError) {
    let result = head.withUnsafeBytes { bytes in
      Result { () throws(WireError) in
        try append(kind: kind.rawValue, run: run, head: bytes, body: body)
      }
    }
    try result.get()
  }
}
