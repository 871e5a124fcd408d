import FetchModel
import FetchValues
import FetchWire
import LuaVM

/// The handler of the host's messages. It loads this worker's plugin and executes the plugin's
/// runs. Runs that are ready at the same time take turns, with one slice each.
final class RunScheduler {
  private let trusted: TrustedChunks
  private let outbox: Outbox
  private var plugin: LoadedPlugin?
  private var runs: [UInt32: PluginRun] = [:]
  /// The runs that used up their slice, in the order of their next slices.
  private var ready: [PluginRun] = []

  init(trusted: TrustedChunks, outbox: Outbox) {
    self.trusted = trusted
    self.outbox = outbox
  }

  var hasReadyRuns: Bool { !ready.isEmpty }

  /// Gives one slice to each run that waits for a slice.
  func runSlices() {
    guard !ready.isEmpty else { return }
    var turns: [PluginRun] = []
    swap(&turns, &ready)
    for run in turns {
      if let lua = run.lua { settle(run, lua, lua.proceed()) }
    }
  }

  func take(_ message: HostMessage, run id: UInt32) throws(WireError) {
    switch message {
    case .load(let source): try load(source)
    case .start(let message): try start(message, id)
    case .reply(let raised, let answer):
      guard let run = runs[id], let lua = run.lua else {
        throw .unexpected("a reply for an unknown run")
      }
      run.endCheckpoint(hasFailed: raised)
      let step =
        raised
        ? lua.resume(raising: String(decoding: answer, as: UTF8.self))
        : lua.resume(returning: answer)
      settle(run, lua, step)
    case .cancel(let code, let message):
      // The run may have ended before this message arrived.
      if let run = runs[id] { fail(run, Failure(code, message)) }
    case .ping: outbox.send { frames throws(WireError) in try frames.pong() }
    }
  }
}

// MARK: - Loading

extension RunScheduler {
  /// The CPU limit for the top-level code of a file when the worker loads the file. This code only
  /// has to define values.
  private static let loadCPU: Duration = .seconds(1)

  private func load(_ source: PluginSource) throws(WireError) {
    guard plugin == nil else { throw .unexpected("a second plugin") }
    do throws(Failure) {
      let loaded = try LoadedPlugin(source, trusted)
      let manifest = try inspect(loaded)
      plugin = loaded
      outbox.send { frames throws(WireError) in try frames.loaded(manifest) }
    } catch {
      outbox.send { frames throws(WireError) in try frames.loadFailed(error) }
    }
  }

  /// Returns the encoded table that the plugin's file returns, in the form that
  /// `PreludeChunk.inspect` describes.
  func inspect(_ plugin: LoadedPlugin) throws(Failure) -> [UInt8] {
    var limits = RunLimits()
    limits.cpu = Self.loadCPU
    let run = PluginRun(id: PluginRun.inspection, limits: limits, initialState: [], outbox: outbox)
    defer { run.lua = nil }
    guard let lua = run.open(plugin.chunks, seed: 0) else {
      throw Failure.limit(.memoryLimit, run.limits).whileLoading(run.limits)
    }
    var arguments = ValueWriter(reserving: 256)
    arguments.beginArray(count: 2)
    arguments.write(plugin.name)
    plugin.libraryNames.withUnsafeBytes { arguments.append(encoded: $0) }
    var step = arguments.bytes.withUnsafeBytes {
      lua.start(main: PreludeChunk.inspect.name, arguments: $0)
    }
    while step == .preempted { step = lua.proceed() }
    switch step {
    case .finished:
      var weight = ValueWeight(bytesMax: RunLimits.manifestWeightMax)
      guard (try? weight.add(lua.output)) != nil, !weight.isExceeded else {
        throw Failure(
          .invalidPlugin,
          "the file's table takes more than \(RunLimits.manifestWeightMax >> 20) MiB of memory "
            + "when it is read; return a smaller table")
      }
      return Array(lua.output)
    case .failed:
      throw plugin.texts.explained(LuaFailure(Array(lua.output)), in: lua)
        .failure(as: .invalidPlugin)
    case .killed(let death): throw failure(of: run, lua, death).whileLoading(run.limits)
    case .request, .preempted:
      throw Failure(
        .invalidPlugin,
        "calls such as http.get are not possible while the file is loading; make them in fetch or"
          + " in a hook's function")
    }
  }
}

// MARK: - Running

extension RunScheduler {
  private func start(_ message: StartMessage, _ id: UInt32) throws(WireError) {
    guard let plugin, runs[id] == nil else { throw .unexpected("a start") }
    let state: [UInt8]
    do { state = try Self.state(in: message.arguments) } catch { throw .invalidValue(error) }
    let run = PluginRun(id: id, limits: message.limits, initialState: state, outbox: outbox)
    runs[id] = run
    let isHook = HookFunction(rawValue: message.entry) != nil
    guard let lua = run.open(plugin.chunks, seed: message.seed) else {
      return fail(run, .limit(.memoryLimit, message.limits))
    }
    var arguments = ValueWriter(reserving: message.arguments.count + 256)
    arguments.beginArray(count: 5)
    arguments.append(encoded: message.arguments)
    arguments.write(message.entry)
    arguments.write(Double(message.limits.window.wholeMilliseconds) / 1000)
    arguments.write(plugin.name)
    plugin.libraryNames.withUnsafeBytes { arguments.append(encoded: $0) }
    let step = arguments.bytes.withUnsafeBytes {
      lua.start(main: (isHook ? PreludeChunk.hook : .main).name, arguments: $0)
    }
    settle(run, lua, step)
  }

  /// Returns the encoded state in a run's arguments; empty if the arguments contain no state.
  private static func state(in arguments: UnsafeRawBufferPointer) throws(ValueError) -> [UInt8] {
    var reader = ValueReader(arguments)
    for _ in 0..<(try reader.readObjectHead()) {
      let key = try reader.readStringBytes()
      let start = reader.offset
      try reader.skipValue()
      if key.elementsEqual("state".utf8) { return Array(arguments[start..<reader.offset]) }
    }
    return []
  }

  private func settle(_ run: PluginRun, _ lua: LuaRun, _ step: LuaStep) {
    switch step {
    case .preempted: ready.append(run)
    case .request: request(run, lua)
    case .finished: finish(run, lua)
    case .failed: fail(run, failure(of: run, LuaFailure(Array(lua.output)), lua))
    case .killed(let death): fail(run, failure(of: run, lua, death))
    }
  }

  /// The name of the host call whose argument is the run's state.
  private static let checkpointName = "checkpoint"

  private func request(_ run: PluginRun, _ lua: LuaRun) {
    guard run.countHostCall() else { return fail(run, .limit(.hostCallLimit, run.limits)) }
    run.flushItems()
    var reader = ValueReader(lua.output)
    do throws(ValueError) {
      let count = try reader.readArrayHead()
      let name = try reader.readStringBytes()
      let isCheckpoint = name.elementsEqual(Self.checkpointName.utf8)
      if let refusal = run.refusal(of: reader.unread, isCheckpoint: isCheckpoint) {
        return fail(run, refusal)
      }
      if isCheckpoint { run.pendingState = Array(reader.unread) }
      outbox.send { frames throws(WireError) in
        try frames.request(name: name, count: count - 1, arguments: reader.unread, run: run.id)
      }
    } catch { fail(run, Failure(.internalError, "the prelude sent a malformed call: \(error)")) }
  }

  private func finish(_ run: PluginRun, _ lua: LuaRun) {
    run.flushItems()
    if let message = run.expectedFailure {
      return fail(run, run.attributed(Failure(.pluginFailed, message)))
    }
    if let state = run.libraryContext.added(to: lua.output) {
      return state.withUnsafeBytes { finish(run, state: $0) }
    }
    finish(run, state: lua.output)
  }

  private func finish(_ run: PluginRun, state: UnsafeRawBufferPointer) {
    if !state.elementsEqual(run.storedState), let refusal = run.refusal(ofState: state) {
      return fail(run, refusal)
    }
    let isChanged = Self.isChanged(state, from: run.storedState)
    outbox.send { frames throws(WireError) in
      let hints = run.libraryContext.feedHints
      if !hints.isEmpty { try frames.hints(hints, run: run.id) }
      if let links = run.libraryContext.hubLinks { try frames.links(links, run: run.id) }
      if run.isWhole { try frames.whole(run: run.id) }
      if run.returnedNothing { try frames.nothing(run: run.id) }
      if let note = run.note { try frames.note(note, run: run.id) }
      try frames.finished(state: isChanged ? state : nil, run.usage, run: run.id)
    }
    close(run)
  }

  /// Whether the state differs from the old state. Compares values, because tables have no order
  /// and different bytes may encode the same state. An empty table equals a missing old state.
  private static func isChanged(_ state: UnsafeRawBufferPointer, from old: [UInt8]) -> Bool {
    if state.elementsEqual(old) { return false }
    guard let new = try? Value(encoded: Array(state)) else { return true }
    if old.isEmpty { return new.objectValue?.isEmpty != true }
    return (try? Value(encoded: old)) != new
  }

  private func fail(_ run: PluginRun, _ failure: Failure) {
    outbox.send { frames throws(WireError) in
      try frames.failed(failure, run.usage, run: run.id)
    }
    close(run)
  }

  private func close(_ run: PluginRun) {
    runs[run.id] = nil
    run.lua = nil
  }

  private func failure(of run: PluginRun, _ failure: LuaFailure, _ lua: LuaRun) -> Failure {
    switch failure.code {
    case .nestingLimit?: return failure.place(.limit(.nestingLimit, run.limits))
    case .resultLimit?: return failure.place(.frameLimit)
    default: break
    }
    // An index of nil often follows a failed request whose error message the plugin has ignored.
    let isNil = failure.message.hasPrefix("attempt to index a nil value")
    let explained = plugin?.texts.explained(failure, in: lua) ?? failure
    return run.attributed(run.named(explained.failure(as: .pluginError)), isOfNil: isNil)
  }

  private func failure(of run: PluginRun, _ lua: LuaRun, _ death: LuaDeath) -> Failure {
    let place = LuaFailure(Array(lua.output))
    return switch death {
    case .cpu: place.place(.limit(.cpuLimit, run.limits))
    case .memory: place.place(.limit(.memoryLimit, run.limits))
    case .cancelled:
      place.place(run.ownFailure ?? Failure(.internalError, "the run was ended without a reason"))
    }
  }
}
