import CHost
import DequeModule
import FetchModel
import FetchValues
import Glibc
import Synchronization

/// The loop of the engine's thread, with two of libcurl's multi handles on one epoll set. Only the
/// engine's thread uses the loop's state.
///
/// Hops that may connect to private addresses have a multi handle and a connection pool of their
/// own. Other hops never reuse a connection of this pool.
final class EngineLoop {
  /// The maximum number of concurrent transfers; further transfers wait in a queue. The limit saves
  /// descriptors, and threads for name look-ups.
  static let activeMax = 256
  static let eventsMax = 64
  static let signalTag = UInt64.max

  private let set: Int32
  private let mailbox: EngineMailbox
  private var lanes: [EngineLane] = []
  /// The reason why no request can be sent; nil if requests can be sent.
  private var problem: String?
  private var active: [UInt64: EngineTransfer] = [:]
  private var waiting: Deque<EngineTransfer> = []
  private var isRunning = true
  private var pressure = ConnectionPressure()
  private var bytesPerSecondMax: Int64?
  private var handles = EasyHandles()

  init(set: Int32, mailbox: EngineMailbox) {
    self.set = set
    self.mailbox = mailbox
  }

  /// Runs the loop until the engine is closed. Loads libcurl first.
  func run() {
    prepare()
    var events = [cready_event](repeating: cready_event(), count: Self.eventsMax)
    while isRunning {
      let count = cready_wait(set, &events, Int32(Self.eventsMax), waitMilliseconds())
      for event in events.prefix(Int(count)) { handle(event) }
      for lane in lanes { lane.fireTimerIfDue() }
      for lane in lanes { finishDone(of: lane) }
      admitWaiting()
    }
    shutDown()
  }

  private func prepare() {
    problem = CurlLibrary.problem
    if problem != nil { return }
    lanes = (0..<2).compactMap { EngineLane(set: set, index: $0) }
    if lanes.count < 2 { problem = "libcurl cannot start: out of memory" }
  }

  private func waitMilliseconds() -> Int32 {
    guard let next = lanes.compactMap(\.timerAt).min() else { return -1 }
    let left = ContinuousClock.now.duration(to: next)
    if left <= .zero { return 0 }
    return Int32(clamping: left.wholeMilliseconds + 1)
  }

  private func handle(_ event: cready_event) {
    if event.tag == Self.signalTag {
      for command in mailbox.takeAll() { handle(command) }
    } else {
      lanes[Int(event.tag >> 32) & 1].handle(event)
    }
  }

  private func handle(_ command: EngineMailbox.Command) {
    switch command {
    case .submit(let transfer):
      waiting.append(transfer)
      admitWaiting()
    case .cancel(let id): cancel(id)
    case .limitSpeed(let limit):
      bytesPerSecondMax = limit
      shareSpeed()
    case .stop: isRunning = false
    }
  }

  private func admitWaiting() {
    while active.count < Self.activeMax, let next = waiting.popFirst() { start(next) }
  }

  private func start(_ transfer: EngineTransfer) {
    if let problem { return finish(transfer, .engine(problem)) }
    if ContinuousClock.now >= transfer.hop.deadline { return finish(transfer, .totalTimeout) }
    guard let easy = handles.next() else {
      return finish(transfer, .engine("libcurl cannot start: out of memory"))
    }
    guard transfer.open(easy) else {
      return finish(transfer, .engine("a request header contains a line break or a NUL character"))
    }
    if transfer.hop.sink != nil { transfer.setBuffer(for: share(of: sharing.count + 1)) }
    if pressure.join(transfer.hop.target.hostname, at: .now), !transfer.hop.isFollowed {
      transfer.closeConnection()
    }
    let lane = lane(of: transfer)
    guard ccurl_multi_add(lane.multi, easy) == CURLM_OK else {
      return finish(transfer, .engine("libcurl rejected the request"))
    }
    active[transfer.id] = transfer
    lane.activeCount += 1
    if transfer.hop.sink != nil { shareSpeed() }
  }

  /// Gives each transfer with a sink an equal part of the speed limit.
  private func shareSpeed() {
    let sharing = sharing
    // For libcurl, 0 means no limit.
    for transfer in sharing { transfer.limitSpeed(share(of: sharing.count) ?? 0) }
  }

  private var sharing: [EngineTransfer] { active.values.filter { $0.hop.sink != nil } }

  private func share(of count: Int) -> Int64? {
    bytesPerSecondMax.map { max(1, $0 / Int64(max(1, count))) }
  }

  private func lane(of transfer: EngineTransfer) -> EngineLane {
    lanes[transfer.hop.privateAddresses == .none ? 0 : 1]
  }

  private func finishDone(of lane: EngineLane) {
    var result = CURLE_OK
    while let easy = ccurl_multi_next_done(lane.multi, &result) {
      guard let transfer = CurlOptions.transfer(of: easy) else { continue }
      end(transfer, transfer.fault(of: result))
    }
  }

  private func end(_ transfer: EngineTransfer, _ fault: HTTPFault?) {
    guard active.removeValue(forKey: transfer.id) != nil else { return }
    let lane = lane(of: transfer)
    if let easy = transfer.easy { _ = ccurl_multi_remove(lane.multi, easy) }
    lane.activeCount -= 1
    finish(transfer, fault)
    if transfer.hop.sink != nil { shareSpeed() }
  }

  /// Ends a transfer that is not in a multi handle.
  private func finish(_ transfer: EngineTransfer, _ fault: HTTPFault?) {
    if let easy = transfer.close() { handles.takeBack(easy, after: transfer.hop, fault) }
    transfer.finish(fault)
  }

  private func cancel(_ id: UInt64) {
    if let transfer = active[id] { return end(transfer, .cancelled) }
    if let transfer = waiting.removeFirst(where: { $0.id == id }) { finish(transfer, .cancelled) }
  }

  private func shutDown() {
    let late = mailbox.close()
    for transfer in active.values { end(transfer, .cancelled) }
    for transfer in waiting { finish(transfer, .cancelled) }
    waiting.removeAll()
    for case .submit(let transfer) in late { finish(transfer, .cancelled) }
    handles.close()
    for lane in lanes { lane.close() }
    Glibc.close(set)
  }
}

/// Decides whether a connection is closed after its request, because libcurl would probably close
/// it before another request uses it. This happens if many requests go to many hostnames.
///
/// With more than `connectionsKeptMax` unused connections, libcurl closes the least recently used
/// one at the end of each transfer. The search for this connection took a third of the time of
/// 10,000 requests to 10,000 hostnames. The search is not needed if each connection is closed after
/// its request. A hostname that had a request recently will probably have another one soon, so its
/// connection is kept.
struct ConnectionPressure {
  /// The number of requests within `time` that counts as frequent: see `HTTPHop.isFollowed`. At a
  /// lower rate, a connection would be kept for half a second or more.
  private static let count = EngineLane.connectionsKeptMax
  private static let time: Duration = .milliseconds(500)
  /// The number of the last requests whose hostnames are known.
  private static let knownMax = 4 * count

  /// The times of the last requests, at most `count`.
  private var times: Deque<ContinuousClock.Instant> = []
  /// The number of requests so far.
  private var number = 0
  /// The number of the last request to each hostname. Includes the last `knownMax` requests, and
  /// some older ones.
  private var lastNumbers: [String: Int] = [:]

  /// Records a request that is sent now. Returns true if the previous `count` requests were all
  /// sent within the last `time`, and none of the previous `knownMax` requests to this hostname.
  mutating func join(_ hostname: String, at now: ContinuousClock.Instant) -> Bool {
    number += 1
    let oldestNumber = number - Self.knownMax
    let last = lastNumbers.updateValue(number, forKey: hostname)
    if lastNumbers.count > 2 * Self.knownMax {
      lastNumbers = lastNumbers.filter { $0.value > oldestNumber }
    }
    times.append(now)
    guard times.count > Self.count, let oldest = times.popFirst() else { return false }
    return (last ?? Int.min) < oldestNumber && oldest.duration(to: now) < Self.time
  }
}

enum EngineThread {
  /// Starts a thread that owns and runs the loop; returns false if no thread can be created.
  static func start(_ loop: EngineLoop) -> Bool {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(loop)
    let code = pthread_create(&thread, nil, runEngineLoop, context.toOpaque())
    guard code == 0 else {
      context.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}

private func runEngineLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<EngineLoop>.fromOpaque(context).takeRetainedValue().run()
  return nil
}

/// The commands of other threads to the engine's thread. A signal wakes that thread when there are
/// commands.
final class EngineMailbox: Sendable {
  enum Command: Sendable {
    case submit(EngineTransfer)
    case cancel(UInt64)
    /// Limits the total number of bytes per second of all hops with a sink; nil for no limit.
    case limitSpeed(Int64?)
    case stop
  }

  private struct State {
    var commands: [Command] = []
    var isStopped = false
  }

  private let state = Mutex(State())
  private let signal: Int32

  init(signal: Int32) { self.signal = signal }

  deinit { Glibc.close(signal) }

  /// Posts a command; returns false when the engine has stopped and will not read it.
  func post(_ command: Command) -> Bool {
    let (isTaken, isFirst) = state.withLock { state in
      if state.isStopped { return (false, false) }
      state.commands.append(command)
      return (true, state.commands.count == 1)
    }
    if isFirst { cready_signal(signal) }
    return isTaken
  }

  func takeAll() -> [Command] {
    cready_take_signal(signal)
    return state.withLock { state in
      let commands = state.commands
      state.commands = []
      return commands
    }
  }

  /// Closes the mailbox and returns the commands that were not read yet.
  func close() -> [Command] {
    state.withLock { state in
      state.isStopped = true
      let commands = state.commands
      state.commands = []
      return commands
    }
  }
}
