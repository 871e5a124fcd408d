import Foundation

/// The CPU time of one `fetchrun --plugin` from start to exit, compared with one curl of the same
/// address.
struct StartBenchmark {
  static let repeats = 20
  static let millisecondsMax = 25.0

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
    func milliseconds(_ seconds: [Double]) -> String { (seconds.median * 1e3).text(1) }
    func difference(_ seconds: [Double]) -> String {
      milliseconds(zip(seconds, curl).map { $0 - $1 })
    }
    var table = Table()
    table.add("start to exit", "CPU ms", "more than curl", "at most")
    table.add("curl", milliseconds(curl))
    let most = Self.millisecondsMax.text(0)
    table.add("fetchrun --plugin, new store", milliseconds(first), difference(first), most)
    table.add("fetchrun --plugin, again", milliseconds(again), difference(again), most)
    return table.text + "\nmedian wall \(milliseconds(wall)) ms, \(Self.repeats) repeats"
  }
}
