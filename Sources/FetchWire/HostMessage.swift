package import FetchModel
import FetchValues

/// A message from the host to a worker. Byte ranges are borrowed from the frame.
package enum HostMessage {
  case load(PluginSource)
  case start(StartMessage)
  /// The answer to the run's request: an encoded list of values, or an error message if `raised`.
  case reply(raised: Bool, UnsafeRawBufferPointer)
  /// The run is no longer wanted; the worker answers `failed` with this code and message.
  case cancel(FailureCode, String)
  /// Answered with `pong` at the next turn of the worker's loop, which proves that the loop runs.
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
    // Three values per library: ValueReader compares the count with the payload's size.
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
