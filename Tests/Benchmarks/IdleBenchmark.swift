import Foundation

/// The cost of `serve` while nothing is due: memory, and the number of wake-ups.
struct IdleBenchmark {
  static let counts = [10, 10_000]
  static let seconds: UInt32 = 30
  static let megabytesMax = 80.0
  /// The time in seconds between the daemon's message that it serves and the measurement. Threads
  /// that wait for more work end only after some seconds.
  static let settlingSeconds: UInt32 = 7

  let product: Product

  func measure() throws -> String {
    var table = Table()
    table.add(
      "jobs", "resident MB", "peak MB", "at most", "wake-ups in \(Self.seconds) s", "at most",
      "status s")
    for count in Self.counts {
      report("serving \(count) jobs of which none is due")
      product.forgetStore()
      // No job is due for two weeks.
      let config = try product.configure(
        urls: (0..<count).map { "http://h\($0 / 2).localhost:9/\($0).xml" },
        interval: "0 3 \(Self.day) * *", gap: "1s")
      let serving = try product.serve(config: config)
      defer { serving.kill() }
      sleep(Self.settlingSeconds)
      guard let before = ProcessFacts(serving.identifier) else {
        throw BenchmarkError("serve has ended: \(product.messageText)")
      }
      sleep(Self.seconds)
      guard let after = ProcessFacts(serving.identifier) else {
        throw BenchmarkError("serve has ended: \(product.messageText)")
      }
      let status = try product.status(config: config)
      table.add(
        "\(count)", megabytes(after.residentBytes), megabytes(after.peakBytes),
        Self.megabytesMax.text(0), "\(after.switches - before.switches)", "0",
        status.wallSeconds.text(2))
    }
    return table.text
  }

  private func megabytes(_ bytes: Int) -> String { (Double(bytes) / 1e6).text(1) }

  /// Returns a day of the month that is at least two weeks away, so that nothing is due until then.
  static var day: Int {
    let today = Calendar(identifier: .gregorian).component(.day, from: .now)
    return today > 14 ? today - 14 : today + 14
  }
}
