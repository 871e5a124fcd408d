import Foundation

/// The memory that a worker needs for one run that waits for an HTTP answer. Many runs wait for a
/// server that never answers. The result is the workers' resident memory, less the memory of the
/// same number of workers with only one or two runs, divided by the number of runs.
struct MemoryBenchmark {
  static let runCount = 1_000
  static let fewCount = 2
  static let kilobytesMax = 60.0
  /// The maximum time in seconds to wait until all runs have connected. This time is less than a
  /// run's window, so that no run gives up before it is counted.
  static let secondsMax = 15.0

  let product: Product

  func measure() throws -> String {
    let few = try waiting(Self.fewCount)
    let many = try waiting(Self.runCount)
    guard few.workers > 0, many.workers > 0 else {
      throw BenchmarkError("no run waited for an answer")
    }
    let idle = Double(few.workerBytes) / Double(few.workers)
    let runs = Double(Self.runCount - Self.fewCount)
    let own = (Double(many.workerBytes) - idle * Double(many.workers)) / Double(Self.runCount) / 1e3
    let host = Double(many.hostBytes - few.hostBytes) / runs / 1e3
    return """
      memory of a waiting run (\(Self.runCount) wait in \(many.workers) workers, \(many.connections) \
      of them connected; a worker alone has \((idle / 1e6).text(1)) MB)
      in the workers: \(own.text(1)) KB (at most \(Self.kilobytesMax.text(0))), in the host: \
      \(host.text(1)) KB
      """
  }

  private struct Reading {
    var connections = 0
    var workers = 0
    var workerBytes = 0
    var hostBytes = 0
  }

  /// Starts `count` runs, waits until all runs have connected or no further run connects, reads the
  /// memory of the workers and the host, and kills the program.
  private func waiting(_ count: Int) throws -> Reading {
    let silent = try Loopback.listen()
    _ = fcntl(silent.descriptor, F_SETFL, O_NONBLOCK)
    var accepted: [Int32] = []
    defer { for descriptor in accepted + [silent.descriptor] { close(descriptor) } }
    product.forgetStore()
    let config = try product.configure(
      urls: (0..<count).map { "http://s\($0).localhost:\(silent.port)/\($0).xml" })
    let process = try product.start(config: config, parallel: count)
    let start = ContinuousClock.now
    var latest = start
    var reading = Reading()
    while accepted.count < count {
      let descriptor = accept(silent.descriptor, nil, nil)
      if descriptor >= 0 {
        accepted.append(descriptor)
        latest = .now
      } else {
        guard errno == EAGAIN else { throw BenchmarkError("accept: errno \(errno)") }
        if ContinuousClock.now - start > .seconds(Self.secondsMax) { break }
        if !accepted.isEmpty, ContinuousClock.now - latest > .seconds(2) { break }
        usleep(10_000)
      }
    }
    usleep(200_000)
    let workers = ProcessTree.descendants(of: process.identifier)
    reading.connections = accepted.count
    reading.workers = workers.count
    reading.workerBytes = workers.map { ProcessTree.residentBytes(of: $0) }.reduce(0, +)
    reading.hostBytes = ProcessTree.residentBytes(of: process.identifier)
    process.kill()
    _ = try process.wait()
    return reading
  }
}
