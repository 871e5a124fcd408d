import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Synchronization

/// A job's folder and one transfer into it. The test starts each attempt and moves the clock.
final class TransferBench: Sendable {
  static let engine = HTTPEngine()
  static let threads = FileThreads()
  static let startAt = Timestamp(seconds: 1_795_000_000)

  private struct State: Sendable {
    var machine: TransferMachine
    var now = startAt
    var keptCount = 0
    var admittedBytes = 0
  }

  let folder: String
  let roots = FileRoots()
  let quota: FileQuota
  let grant: Grant
  let policy: HTTPPolicy
  let boot: String
  private let admits: @Sendable (Int) -> Bool
  /// Returns the secrets of an attempt. Each attempt calls this function, as another process would.
  private let secrets: @Sendable () -> RunSecrets?
  private let state: Mutex<State>

  init(
    _ request: TransferRequest, quota: FileQuota = FileQuota(), boot: String = "boot",
    admits: @escaping @Sendable (_ soFar: Int) -> Bool = { _ in true },
    secrets: @escaping @Sendable () -> RunSecrets? = { nil },
    grant: (inout Grant) -> Void = { _ in }, policy: (inout HTTPPolicy) -> Void = { _ in }
  ) throws {
    folder = try TemporaryFolder.make("transfer")
    self.quota = quota
    self.boot = boot
    self.admits = admits
    self.secrets = secrets
    var given = Grant()
    given.hosts = HostPattern.open(["*"])
    given.privateAddresses = true
    grant(&given)
    self.grant = given
    var made = HTTPPolicy(version: "1.0")
    policy(&made)
    self.policy = made
    let record = TransferRecord(id: 1, job: "job", request: request, createdAt: Self.startAt)
    state = Mutex(State(machine: TransferMachine(record)))
  }

  convenience init(
    url: String, to: String = "film.mkv", size: Int64? = nil, sha256: [UInt8]? = nil
  ) throws {
    try self.init(Self.request(url, to: to, size: size, sha256: sha256))
  }

  static func request(
    _ url: String, to: String = "film.mkv", size: Int64? = nil, sha256: [UInt8]? = nil
  ) throws -> TransferRequest {
    var request = TransferRequest(url: url, to: try FilePath(to))
    request.size = size
    request.sha256 = sha256
    return request
  }

  var record: TransferRecord { state.withLock { $0.machine.record } }
  var keptCount: Int { state.withLock { $0.keptCount } }
  var admittedBytes: Int { state.withLock { $0.admittedBytes } }
  var root: String { folder + "/root" }
  func path(_ name: String = "film.mkv") -> String { root + "/" + name }
  var partialPath: String { root + "/" + FilePath.hiddenFolder + "/1" }

  @discardableResult
  func handle(_ event: TransferEvent) -> [TransferAction] {
    state.withLock { $0.machine.handle(event, now: $0.now, chance: 0) }
  }

  func advance(_ duration: Duration) { state.withLock { $0.now = $0.now + duration } }

  /// Runs one attempt and applies its result. `afterBoot` is the id of another boot of the system.
  /// If `isKilledAfter` is true, the attempt simulates that the process is killed before
  /// it records the result.
  func attempt(
    afterBoot: String? = nil, lanes: RequestLanes? = nil, isKilledAfter: Bool = false
  ) async -> TransferAttemptEnd {
    handle(.start)
    var policy = policy
    policy.lanes = lanes
    let (root, quota, boot) = (root, quota, afterBoot ?? boot)
    let roots = isKilledAfter ? FileRoots() : roots
    let session = HTTPSession(
      transport: Self.engine, grant: grant, policy: policy, validators: [:],
      deadline: .now + TransferAttempt.timeMax, limits: RunLimits(), secrets: secrets(),
      now: { [self] in state.withLock { $0.now } })
    let end = await TransferAttempt(
      .init(
        record: record,
        root: { () throws(FileFault) in try roots.root(root, quota: quota) },
        session: session, threads: Self.threads, readPaths: grant.readPaths, boot: boot,
        now: { [self] in state.withLock { $0.now } },
        admit: { [self] in admit($0) },
        keep: { [self] in keep($0, boot) })
    ).run()
    if isKilledAfter {
      // Simulates a reopened store, which has no record of the end.
      handle(.stopped(until: nil))
      return end
    }
    switch end {
    case .finished(let download, let sha256): handle(.finished(download, sha256: sha256))
    case .failed(let failure): handle(.failed(failure))
    case .stopped: handle(.stopped(until: nil))
    }
    return end
  }

  private func admit(_ count: Int) -> Bool {
    let soFar = state.withLock { state in
      state.admittedBytes += count
      return state.admittedBytes
    }
    return admits(soFar)
  }

  private func keep(_ download: PartialDownload, _ boot: String) {
    state.withLock { state in
      state.keptCount += 1
      _ = state.machine.handle(.received(download, boot: boot), now: state.now, chance: 0)
    }
  }

  /// Runs attempts until the transfer has ended, but no more than `attemptsMax`.
  @discardableResult
  func runToEnd(attemptsMax: Int = 400) async -> TransferState {
    for _ in 0..<attemptsMax where record.state.isPending {
      _ = await attempt()
      if let next = record.nextAttemptAt { state.withLock { $0.now = max($0.now, next) } }
    }
    return record.state
  }
}

extension TransferAttemptEnd {
  var failure: Failure? {
    if case .failed(let attempt) = self { attempt.failure } else { nil }
  }
}
