package import FetchModel
package import FetchValues

/// A message from the host to a worker. Its buffers point into the frame, and are valid as long as
/// the payload of the frame.
package enum HostMessage {
  case load(PluginSource)
  case start(StartMessage)
  /// The answer to a request of the run: an encoded list of values, or an error message if `raised`
  /// is true.
  case reply(raised: Bool, UnsafeRawBufferPointer)
  /// The host cancels the run. If the run is still under way, the worker answers `failed` with the
  /// given code and message.
  case cancel(FailureCode, String)
  /// A request that the worker answers with `pong`. The answer proves that the worker's loop runs.
  case ping

  package enum Kind: UInt8 { case load = 1, start, reply, cancel, ping }

  package static func decode(_ frame: Frame) throws(WireError) -> HostMessage {
    guard let kind = Kind(rawValue: frame.kind) else { throw .unknownKind(frame.kind) }
    do { return try decode(kind, frame.payload) } catch { throw .invalidValue(error) }
  }

  private static func decode(
    _ kind: Kind, _ payload: UnsafeRawBufferPointer
  ) throws(ValueError) -> HostMessage {
    var reader = ValueReader(payload)
    switch kind {
    case .load: return .load(try readPlugin(&reader))
    case .start: return .start(try StartMessage.decode(payload))
    case .reply:
      let raised = try reader.readBool()
      return .reply(raised: raised, UnsafeRawBufferPointer(rebasing: payload[reader.offset...]))
    case .cancel:
      let code = try FailureCoding.readCode(&reader)
      return .cancel(code, try reader.readString())
    case .ping: return .ping
    }
  }

  private static func readPlugin(_ reader: inout ValueReader) throws(ValueError) -> PluginSource {
    let name = try reader.readString()
    let fileName = try reader.readString()
    let text = Array(try reader.readStringBytes())
    var libraries: [PluginSource.Library] = []
    for _ in 0..<(try reader.readArrayHead()) {
      libraries.append(
        PluginSource.Library(
          name: try reader.readString(), fileName: try reader.readString(),
          text: Array(try reader.readStringBytes())))
    }
    return PluginSource(name: name, fileName: fileName, text: text, libraries: libraries)
  }
}

extension FrameWriter {
  package mutating func load(_ plugin: PluginSource) throws(WireError) {
    var writer = ValueWriter(reserving: plugin.text.count + 256)
    writer.write(plugin.name)
    writer.write(plugin.fileName)
    writer.write(bytes: plugin.text)
    // The count is the number of libraries, although each library has three values. `ValueReader`
    // accepts this count, because it rejects only a count above the number of bytes that follow.
    writer.beginArray(count: plugin.libraries.count)
    for library in plugin.libraries {
      writer.write(library.name)
      writer.write(library.fileName)
      writer.write(bytes: library.text)
    }
    try append(kind: HostMessage.Kind.load.rawValue, run: 0, payload: writer.bytes)
  }

  package mutating func start(_ message: StartMessage, run: UInt32) throws(WireError) {
    var writer = ValueWriter(reserving: 128)
    message.encodeHead(&writer)
    try append(.start, run: run, head: writer.bytes, body: message.arguments)
  }

  package mutating func reply(
    raised: Bool, _ answer: [UInt8], run: UInt32
  ) throws(WireError) {
    let result = answer.withUnsafeBytes { bytes in
      Result { () throws(WireError) in
        try append(.reply, run: run, head: [raised ? ValueTag.true : ValueTag.false], body: bytes)
      }
    }
    try result.get()
  }

  package mutating func cancel(
    _ code: FailureCode, _ message: String, run: UInt32
  ) throws(WireError) {
    var writer = ValueWriter(reserving: 128)
    writer.write(code.rawValue)
    writer.write(message)
    try append(kind: HostMessage.Kind.cancel.rawValue, run: run, payload: writer.bytes)
  }

  package mutating func ping() throws(WireError) {
    try append(kind: HostMessage.Kind.ping.rawValue, run: 0)
  }

  private mutating func append(
    _ kind: HostMessage.Kind, run: UInt32, head: [UInt8], body: UnsafeRawBufferPointer
  ) throws(WireError) {
    let result = head.withUnsafeBytes { bytes in
      Result { () throws(WireError) in
        try append(kind: kind.rawValue, run: run, head: bytes, body: body)
      }
    }
    try result.get()
  }
}

/// The message that starts a run in a worker that has loaded the plugin.
package struct StartMessage {
  /// The name of the function to call in the table that the file returns. For a name in
  /// `HookFunction`, the file is a hook file.
  package var entry: String
  package var limits: RunLimits
  /// The seed of `math.random`. If the run is repeated after a crash, it gets the same seed again.
  package var seed: UInt64
  /// One encoded table, from which the worker creates the arguments of the function. In a decoded
  /// message, the bytes point into the frame.
  package var arguments: UnsafeRawBufferPointer

  package init(
    entry: String, limits: RunLimits, seed: UInt64, arguments: UnsafeRawBufferPointer
  ) {
    self.entry = entry
    self.limits = limits
    self.seed = seed
    self.arguments = arguments
  }
}

extension StartMessage {
  /// Encodes the message without the arguments. The arguments follow unchanged in the payload.
  package func encodeHead(_ writer: inout ValueWriter) {
    writer.write(entry)
    writer.write(Int64(bitPattern: seed))
    for duration in [limits.window, limits.cpu] { writer.write(duration.wholeMilliseconds) }
    writer.write(limits.memoryBytes)
    writer.write(limits.hostCalls)
    writer.write(limits.items)
    writer.write(limits.resultBytes)
    writer.write(limits.logBytes)
    writer.write(limits.nesting)
  }

  static func decode(_ payload: UnsafeRawBufferPointer) throws(ValueError) -> StartMessage {
    var reader = ValueReader(payload)
    var message = StartMessage(
      entry: try reader.readString(), limits: RunLimits(), seed: 0, arguments: payload)
    message.seed = UInt64(bitPattern: try reader.readInteger())
    message.limits.window = .milliseconds(try reader.readInteger())
    message.limits.cpu = .milliseconds(try reader.readInteger())
    message.limits.memoryBytes = Int(try reader.readInteger())
    message.limits.hostCalls = Int(try reader.readInteger())
    message.limits.items = Int(try reader.readInteger())
    message.limits.resultBytes = Int(try reader.readInteger())
    message.limits.logBytes = Int(try reader.readInteger())
    message.limits.nesting = Int(try reader.readInteger())
    message.arguments = UnsafeRawBufferPointer(rebasing: payload[reader.offset...])
    return message
  }
}
