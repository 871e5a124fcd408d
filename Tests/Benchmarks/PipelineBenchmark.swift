import Foundation

/// The cost of fetchrun and of the floor over the same feeds in the same run: a first fetch,
/// unchanged feeds, and one feed in ten changed.
struct PipelineBenchmark {
  enum Phase: String, CaseIterable {
    case cold, unchanged
    case changed = "10 % changed"

    /// The limit of fetchrun's cost, in multiples of the floor's cost.
    var multipleMax: Double { self == .cold ? 2.5 : 3 }
  }

  struct Sample {
    var floor: Floor.Cost
    var product: Usage?
  }

  let server: FeedServer
  let scratch: URL
  let product: Product?
  var farm: FeedFarm
  private var samples: [Int: [Phase: [Sample]]] = [:]
  /// The cost of a run of one feed in each phase. Nearly all of this cost is the start of the
  /// programs.
  private var alone: [Phase: Double] = [:]
  private(set) var mistakes: [String] = []

  init(server: FeedServer, farm: FeedFarm, scratch: URL, product: Product?) {
    self.server = server
    self.farm = farm
    self.scratch = scratch
    self.product = product
  }

  /// Returns the number of repeats: small numbers of feeds are measured more often, so that noise
  /// does not decide the result.
  static func repeats(_ count: Int) -> Int { min(5, max(1, 3_000 / max(1, count))) }

  mutating func measure(count: Int, repeats: Int) throws {
    let urls = farm.feeds.prefix(count).map { server.url(of: $0) }
    let config = try product?.configure(urls: urls)
    for number in 1...repeats {
      report("\(count) feeds, repeat \(number) of \(repeats)")
      product?.forgetStore()
      let floor = Floor(farm: farm, server: server, count: count, scratch: scratch)
      let counts = Dictionary(
        uniqueKeysWithValues: (0..<count).map { ($0, farm.feeds[$0].itemCount) })
      try add(.cold, count: count, floor: try floor.cold(), config: config, added: counts)

      let tags = try (0..<count).map { try farm.entityTag(of: $0) }
      let unchanged = try floor.again(entityTags: tags, changed: [])
      try add(.unchanged, count: count, floor: unchanged, config: config, added: [:])

      let added = try farm.change(first: count)
      let grown = Floor(farm: farm, server: server, count: count, scratch: scratch)
      let changed = try grown.again(entityTags: tags, changed: added.keys.sorted())
      try add(.changed, count: count, floor: changed, config: config, added: added)
    }
  }

  private static let aloneRepeats = 5

  /// Measures the runs of one feed. Call it before the feeds change.
  mutating func measureAlone() throws {
    guard let product, let feed = farm.feeds.first else { return }
    let config = try product.configure(urls: [server.url(of: feed)])
    var costs: [Phase: [Double]] = [:]
    for number in 1...Self.aloneRepeats {
      report("one feed, repeat \(number) of \(Self.aloneRepeats)")
      product.forgetStore()
      for phase in [Phase.cold, .unchanged] {
        costs[phase, default: []].append(try product.run(config: config).0.cpuSeconds)
      }
    }
    alone = costs.mapValues(\.median)
    alone[.changed] = alone[.unchanged]
  }

  private mutating func add(
    _ phase: Phase, count: Int, floor: Floor.Cost, config: URL?, added: [Int: Int]
  ) throws {
    var sample = Sample(floor: floor)
    if let product, let config {
      let (usage, lines) = try product.run(config: config)
      sample.product = usage
      let found = RunLine.mistakes(in: lines, count: count, added: added)
      for mistake in found.prefix(5) { report("  \(phase.rawValue), \(count) feeds: \(mistake)") }
      if found.count > 5 { report("  and \(found.count - 5) more") }
      mistakes += found
    }
    samples[count, default: [:]][phase, default: []].append(sample)
  }

  var table: String {
    var table = Table()
    let own = ["fetchrun", "of it workers", "× floor", "at most", "wall s", "peak MB", "all MB"]
    table.add(
      ["feeds", "phase", "curl", "xmllint", "sqlite3", "floor"] + (product == nil ? [] : own))
    for count in samples.keys.sorted() {
      for phase in Phase.allCases {
        guard let some = samples[count]?[phase] else { continue }
        let cost = { (value: (Sample) -> Double) in (some.map(value).median * 1e3 / Double(count)) }
        let floor = cost { $0.floor.cpuSeconds }
        var cells = [
          String(count), phase.rawValue, cost { $0.floor.fetch.cpuSeconds }.text(3),
          cost { $0.floor.parse.cpuSeconds }.text(3), cost { $0.floor.store.cpuSeconds }.text(3),
          floor.text(3),
        ]
        if product != nil {
          let usages = some.compactMap(\.product)
          let own = usages.map { $0.cpuSeconds }.median * 1e3 / Double(count)
          cells += [
            own.text(3),
            (usages.map { $0.childrenSeconds }.median * 1e3 / Double(count)).text(3),
            (some.map { ($0.product?.cpuSeconds ?? 0) / $0.floor.cpuSeconds }.median).text(2),
            phase.multipleMax.text(1), usages.map { $0.wallSeconds }.median.text(2),
            megabytes(usages.map(\.peakBytes)), megabytes(usages.map(\.peakSumBytes)),
          ]
        }
        table.add(cells)
      }
    }
    return "CPU ms per feed (user and system, host and workers together)\n" + table.text
      + flatness
  }

  /// The cost per feed with the most feeds, relative to the cost with the fewest: in total, and
  /// without the cost of the start.
  private var flatness: String {
    guard product != nil, let few = samples.keys.min(), let many = samples.keys.max(), few < many
    else { return "" }
    func ratios(beyond start: [Phase: Double]) -> String {
      Phase.allCases.map { phase in
        let cost = { (count: Int) in
          let whole = (samples[count]?[phase] ?? []).map { $0.product?.cpuSeconds ?? 0 }.median
          return (whole - (start[phase] ?? 0)) / Double(count)
        }
        return "\(phase.rawValue) × \((cost(many) / cost(few)).text(2))"
      }.joined(separator: ", ")
    }
    let starts = Phase.allCases.map { ((alone[$0] ?? 0) * 1e3).text(1) }.joined(separator: ", ")
    return """

      cost per feed, \(many) against \(few) feeds: \(ratios(beyond: [:])) (at most 1.15)
      beyond the start (\(starts) ms): \(ratios(beyond: alone)) (from 0.85 to 1.15)
      """
  }

  private func megabytes(_ bytes: [Int]) -> String {
    (bytes.map { Double($0) / 1e6 }.max() ?? 0).text(0)
  }
}
