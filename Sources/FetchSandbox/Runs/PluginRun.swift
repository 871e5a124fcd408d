import FetchModel
import FetchValues
import FetchWire
import LuaVM

/// One run in this worker, with its Lua state and its counts. A count that exceeds a limit ends the
/// run.
final class PluginRun {
  let id: UInt32
  /// The id of the run that inspects a file.
  static let inspection: UInt32 = 0
  let limits: RunLimits
  let libraryContext: LibraryContext
  private let outbox: Outbox
  /// The Lua state; nil before `open` and after the run has ended.
  var lua: LuaRun?
  /// The failure with which `take(notice:)` ended the run, such as too many items; nil if there is
  /// none. It is reported instead of Lua's failure.
  private(set) var ownFailure: Failure?
  /// The message that the plugin returned as `return nil, message`; nil if there is none.
  private(set) var expectedFailure: String?
  /// Whether the plugin declared its items to be complete.
  private(set) var isWhole = false
  /// Whether the plugin's function returned nothing, or nil without a message.
  private(set) var returnedNothing = false
  /// The text of the last `ctx:note`.
  private(set) var note: String?
  /// The encoded state that the store has: the initial state, or that of the last checkpoint.
  private(set) var storedState: [UInt8]
  /// The encoded state of a checkpoint that the host has not answered yet.
  var pendingState: [UInt8]?

  private var items: [UInt8] = []
  private var itemCount = 0
  private var resultBytes = 0
  private var resultWeight: ValueWeight
  private var logBytes = 0
  private(set) var hostCallCount = 0
  private var rememberedFailures: [Failure] = []

  /// The size in bytes at which a batch of items is sent. Items are also sent before each host call
  /// and when the run finishes.
  private static let itemBatchBytes = 64 << 10
  /// The maximum size in bytes of one value that is passed out of Lua. A value with a whole HTTP
  /// body must fit.
  private static let messageBytesMax = WireLimits.payloadBytesMax - (64 << 10)
  private static let rememberedFailuresMax = 16
  private static let killReason: Int32 = 1

  init(id: UInt32, limits: RunLimits, initialState: [UInt8], outbox: Outbox) {
    self.id = id
    self.limits = limits
    resultWeight = ValueWeight(bytesMax: limits.resultWeight)
    storedState = initialState
    libraryContext = LibraryContext(state: initialState)
    self.outbox = outbox
  }

  /// Creates a Lua state with the given chunks. Returns nil if there is no memory for the state.
  func open(_ chunks: LuaChunks, seed: UInt64) -> LuaRun? {
    let (seconds, attoseconds) = limits.cpu.components
    let cpu =
      UInt64(clamping: seconds) &* 1_000_000_000 &+ UInt64(clamping: attoseconds) / 1_000_000_000
    lua = LuaRun(
      limits: LuaRunLimits(
        cpuNanosecondsMax: cpu, memoryBytesMax: limits.memoryBytes,
        messageBytesMax: Self.messageBytesMax, nestingMax: limits.nesting),
      chunks: chunks, seed: seed, context: self)
    return lua
  }

  var usage: RunUsage {
    var usage = RunUsage()
    guard let lua = lua?.usage else { return usage }
    usage.cpu = .nanoseconds(Int64(clamping: lua.cpuNanoseconds))
    usage.memoryPeakBytes = lua.memoryBytesPeak
    usage.sliceCount = lua.slices
    usage.hostCallCount = hostCallCount
    return usage
  }

  /// Ends a checkpoint, if one is pending. Its state is stored unless the host reported a failure.
  func endCheckpoint(hasFailed: Bool) {
    if !hasFailed, let state = pendingState { storedState = state }
    pendingState = nil
  }

  func countHostCall() -> Bool {
    hostCallCount += 1
    return hostCallCount <= limits.hostCalls
  }

  /// Returns the failure if the state may not be added to the run's results; nil if it may be
  /// added.
  func refusal(ofState state: UnsafeRawBufferPointer) -> Failure? {
    guard state.count <= limits.resultBytes - resultBytes else {
      return .limit(.resultLimit, limits)
    }
    var weight = resultWeight
    do { try weight.add(state) } catch { return Self.unreadable(error) }
    return weight.isExceeded ? .weightLimit(limits) : nil
  }

  /// Returns the failure if a host call with these arguments may not be sent; nil if the call may
  /// be sent.
  func refusal(of arguments: UnsafeRawBufferPointer, isCheckpoint: Bool) -> Failure? {
    if isCheckpoint { return refusal(ofState: arguments) }
    var weight = ValueWeight(bytesMax: arguments.count + RunLimits.argumentExcessBytesMax)
    do { try weight.add(arguments) } catch { return Self.unreadable(error) }
    return weight.isExceeded ? .argumentLimit : nil
  }

  private static func unreadable(_ error: ValueError) -> Failure {
    Failure(.internalError, "the encoder wrote an unreadable value: \(error)")
  }

  func flushItems() {
    guard !items.isEmpty else { return }
    outbox.send { frames throws(WireError) in try frames.items(items, run: id) }
    items.removeAll(keepingCapacity: false)
  }
}

// MARK: - Notices from the prelude

extension PluginRun {
  /// Handles a notice from the trusted Lua code. Returns 0, or another value to end the run
  /// immediately.
  func take(notice: UnsafeRawBufferPointer) -> Int32 {
    do throws(ValueError) {
      var reader = ValueReader(notice)
      let count = try reader.readArrayHead()
      switch (try reader.readString(), count) {
      case ("item", 2): return take(items: 1, reader.unread)
      case ("items", 2):
        let itemCount = try reader.readArrayHead()
        return take(items: itemCount, reader.unread)
      case ("log", 3): return log(try reader.readString(), try reader.readStringBytes())
      case ("failed", 2):
        expectedFailure = String(decoding: try reader.readStringBytes(), as: UTF8.self)
      case ("remember", 4): try remember(&reader)
      case ("whole", 1): isWhole = true
      case ("nothing", 1): returnedNothing = true
      case ("note", 2): note = Self.note(try reader.readStringBytes())
      default: return end(Failure(.internalError, "the prelude sent an unknown notice"))
      }
      return 0
    } catch { return end(Failure(.internalError, "the prelude sent a malformed notice: \(error)")) }
  }

  /// Returns the text, shortened to the maximum length of a note.
  private static func note(_ text: UnsafeRawBufferPointer) -> String {
    let text = String(decoding: text.prefix(WireLimits.noteBytesMax), as: UTF8.self)
    if text.utf8.count < WireLimits.noteBytesMax { return text }
    var cut = ""
    // Leaves room for the ellipsis.
    for scalar in text.unicodeScalars where cut.utf8.count <= WireLimits.noteBytesMax - 8 {
      cut.unicodeScalars.append(scalar)
    }
    return cut + "…"
  }

  private func end(_ failure: Failure) -> Int32 {
    ownFailure = failure
    return Self.killReason
  }

  private func take(items count: Int, _ encoded: UnsafeRawBufferPointer) -> Int32 {
    itemCount += count
    guard itemCount <= limits.items else { return end(.limit(.itemLimit, limits)) }
    guard encoded.count <= limits.resultBytes - resultBytes else {
      return end(.limit(.resultLimit, limits))
    }
    do { try resultWeight.add(items: encoded) } catch { return end(Self.unreadable(error)) }
    guard !resultWeight.isExceeded else { return end(.weightLimit(limits)) }
    resultBytes += encoded.count
    items.append(contentsOf: encoded)
    if items.count >= Self.itemBatchBytes { flushItems() }
    return 0
  }

  private func log(_ level: String, _ text: UnsafeRawBufferPointer) -> Int32 {
    let message = String(decoding: text, as: UTF8.self)
    // Counts one byte more for each line, because an empty line needs memory, too.
    logBytes += message.utf8.count + 1
    guard logBytes <= limits.logBytes else { return end(.limit(.logLimit, limits)) }
    // An inspection belongs to no run, so its log lines are dropped.
    guard id != Self.inspection else { return 0 }
    let line = LogLine(LogLine.Level(rawValue: level) ?? .info, message)
    outbox.send { frames throws(WireError) in try frames.log(line, run: id) }
    return 0
  }
}

// MARK: - Failures of host calls that become the run's own

extension PluginRun {
  private func remember(_ reader: inout ValueReader) throws(ValueError) {
    let message = String(decoding: try reader.readStringBytes(), as: UTF8.self)
    guard let code = FailureCode(rawValue: try reader.readString()) else { return }
    remember(Failure(code, message, retryable: try reader.readBool()))
  }

  /// Stores the failure of a host call or of a library function. If the plugin ends the run with
  /// the same message, the run fails with the code of this failure. Only the last
  /// `rememberedFailuresMax` failures are kept.
  func remember(_ failure: Failure) {
    if rememberedFailures.count == Self.rememberedFailuresMax { rememberedFailures.removeFirst() }
    rememberedFailures.append(failure)
  }

  /// Returns the failure. If a value could not be encoded and the failure names no file, the
  /// message names the item that contains the value, or `ctx.state`. Lua numbers the items within
  /// the last batch, so the number of earlier items is added.
  func named(_ failure: Failure) -> Failure {
    guard failure.code == .invalidValue, failure.file == nil else { return failure }
    var failure = failure
    let message = failure.message
    if message.hasPrefix("["), let end = message.firstIndex(of: "]"),
      let number = Int(message[message.index(after: message.startIndex)..<end])
    {
      let rest = message[message.index(after: end)...].drop { $0 == "." || $0 == ":" || $0 == " " }
      failure.message = "item \(number &+ itemCount): \(rest)"
    } else if !message.hasPrefix("ctx.state") {
      failure.message = "ctx.state: \(message)"
    }
    return failure
  }

  /// Returns the failure with the code and `retryable` of the last stored failure that has the same
  /// message. If no stored failure has this message and `isOfNil` is true, adds the message of the
  /// last stored failure.
  func attributed(_ failure: Failure, isOfNil: Bool = false) -> Failure {
    let known = rememberedFailures.last { $0.message.utf8.elementsEqual(failure.message.utf8) }
    var failure = failure
    guard let known else {
      if isOfNil, let last = rememberedFailures.last {
        failure.message += "; an earlier call failed: \(last.message)"
      }
      return failure
    }
    failure.code = known.code
    failure.retryable = known.retryable
    return failure
  }
}

/// The messages of this worker that `WorkerLoop` has not written yet.
final class Outbox {
  var frames = FrameWriter()
  /// The buffer for results of library functions. All calls share the buffer, to avoid an
  /// allocation for each call.
  var scratch = ValueWriter()
  /// The error if a frame was too long for the protocol; nil otherwise.
  private(set) var error: WireError?

  func send(_ body: (inout FrameWriter) throws(WireError) -> Void) {
    do { try body(&frames) } catch { self.error = error }
  }
}
