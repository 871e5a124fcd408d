package import FetchModel
package import FetchValues

/// The start of a run in a worker that has loaded the plugin.
package struct StartMessage {
  /// The function of the plugin's table to call.
  package var entry: String
  package var limits: RunLimits
  /// The seed of math.random, so that the run can be repeated exactly after a crash.
  package var seed: UInt64
  /// One encoded table, borrowed: the `ctx` of the entry.
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
  /// Encodes everything but the arguments, which follow in the payload unchanged.
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
