import Foundation

/// The CPU time of one `fetchrun --plugin` from start to exit, compared with one curl of the same
/// address. Both programs are installed: see `Product.installed`.
struct StartBenchmark {
  static let repeats = 40
  /// The largest differences to curl, in milliseconds: with a new store, and with an existing one.
  private static let (newMax, existingMax) = (14.0, 7.0)

  let server: FeedServer
  let feed: FarmFeed
  let product: Product

  /// Measures curl once and fetchrun twice in each repeat. The first run of fetchrun starts with an
  /// empty store, and the second run with the filled store.
  func measure() throws -> String {
    let url = server.url(of: feed)
    var curl: [Double] = []
    var first: [Double] = []
    var again: [Double] = []
    var wall: [Double] = []
    for _ in 0..<Self.repeats {
      let fetch = try ChildProcess("curl", ["-q", "--silent", "--compressed", url]).wait()
      try fetch.check("curl")
      curl.append(fetch.cpuSeconds)
      product.forgetStore()
      for repetition in 0..<2 {
        let usage = try product.start(url: url).wait()
        try usage.check("fetchrun --plugin")
        if repetition == 0 {
          first.append(usage.cpuSeconds)
        } else {
          again.append(usage.cpuSeconds)
        }
        wall.append(usage.wallSeconds)
      }
    }
    func milliseconds(_ seconds: Double?) -> String { ((seconds ?? 0) * 1e3).text(1) }
    func row(_ name: String, _ seconds: [Double], _ most: Double) -> [String] {
      let least = (seconds.min() ?? 0) - (curl.min() ?? 0)
      return [
        name, milliseconds(seconds.median),
        milliseconds(zip(seconds, curl).map { $0 - $1 }.median), milliseconds(least), most.text(0),
      ]
    }
    var table = Table()
    table.add("start to exit", "CPU ms", "more than curl", "by least", "at most")
    table.add("curl", milliseconds(curl.median))
    table.add(row("fetchrun --plugin, new store", first, Self.newMax))
    table.add(row("fetchrun --plugin, again", again, Self.existingMax))
    return table.text + "\nmedian wall \(milliseconds(wall.median)) ms, \(Self.repeats) repeats"
  }
}
