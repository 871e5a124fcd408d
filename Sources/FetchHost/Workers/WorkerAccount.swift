import FetchModel

/// The host's own account of the CPU time and the memory of one worker process.
///
/// A worker that was broken into may report any usage, and may compute while it sends bytes, while
/// all its runs wait, or while it has no runs. The account therefore relies only on the kernel's
/// counts. All times are in nanoseconds. The limits are generous, because reading frames, loading
/// plugins and freeing memory take CPU time that belongs to no run.
struct WorkerAccount {
  /// A time in which the worker has nothing to do, and the process's CPU time at its beginning.
  private struct Rest {
    var startedAt: UInt64
    var cpu: UInt64
  }

  /// The CPU time of the process when it last had no runs.
  private var cpuBase: UInt64 = 0
  /// The CPU time that the process may use after `cpuBase`.
  private var cpuAllowed = RunLimits.windowGrace.nanoseconds
  private var rest: Rest?
  /// The sum of the memory limits of the runs in the worker, and the highest sum so far. The
  /// process may keep the memory of ended runs for the next runs.
  private var placedBytes = 0
  private var placedBytesMax = 0
  /// See `WorkerPoolConfiguration.memoryBytesBase`.
  var memoryBytesBase = memoryBytesBaseUsual

  /// The CPU time allowed for each run in addition to its limit: this time and a quarter of the
  /// limit.
  static let extraPerRun: UInt64 = 250_000_000
  /// The CPU time allowed for each byte that the worker reads or writes. Copying a byte through
  /// the socket takes less than 1 ns.
  static let extraPerByte: UInt64 = 4
  /// The CPU time that a worker without anything to do may use. An honest worker needs only what
  /// the system needs for it, such as the handling of signals.
  static let restCPUMax: UInt64 = 1_000_000_000
  /// The default of `memoryBytesBase`.
  static let memoryBytesBaseUsual = 1 << 30
  /// The factor for the memory limits of the runs. A Lua state may take twice its limit from the
  /// process: see `FOOTPRINT_FACTOR_MAX`.
  static let memoryFactor = 4

  /// Sets the CPU time at which a worker begins without runs.
  mutating func begin(cpu: UInt64) {
    cpuBase = cpu
    cpuAllowed = RunLimits.windowGrace.nanoseconds
  }

  /// Adds the limits of a run that begins.
  mutating func add(_ limits: RunLimits) {
    let cpu = limits.cpu.nanoseconds
    cpuAllowed &+= cpu &+ cpu / 4 &+ Self.extraPerRun
  }

  /// Adds bytes that the worker reads or has written.
  mutating func add(bytes: Int) { cpuAllowed &+= UInt64(clamping: bytes) &* Self.extraPerByte }

  mutating func place(_ limits: RunLimits) {
    placedBytes += limits.memoryBytes
    placedBytesMax = max(placedBytesMax, placedBytes)
  }

  mutating func drop(_ limits: RunLimits) { placedBytes -= limits.memoryBytes }

  /// Notes that the worker has nothing to do until `endRest`.
  mutating func beginRest(at now: UInt64, cpu: UInt64) { rest = Rest(startedAt: now, cpu: cpu) }

  mutating func endRest() { rest = nil }

  /// Returns the time for which the worker has had nothing to do; 0 if it has something to do.
  func restedTime(_ now: UInt64) -> UInt64 {
    guard let rest else { return 0 }
    return now - min(now, rest.startedAt)
  }

  /// Whether a process with the given CPU time has used more than its runs can have used, or more
  /// than a worker without anything to do needs.
  func isExceeded(cpu: UInt64) -> Bool {
    if let rest, cpu - min(cpu, rest.cpu) > Self.restCPUMax { return true }
    return cpu - min(cpu, cpuBase) > cpuAllowed
  }

  /// Whether a process with the given resident memory has more than its runs can need.
  func isExceeded(memoryBytes: Int) -> Bool {
    memoryBytes > memoryBytesBase + Self.memoryFactor * placedBytesMax
  }
}
