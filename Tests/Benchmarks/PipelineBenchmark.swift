import Foundation

/// The cost of fetchrun, of the floor and of a hand-written Go program for the same feeds. The
/// three programs take turns in a first fetch, with unchanged feeds, and with one feed in ten
/// changed.
struct PipelineBenchmark {
  enum Phase: String, CaseIterable {
    case cold, unchanged
    case changed = "10 % changed"

    /// The limit of fetchrun's cost, in multiples of the floor's cost, with a hostname for each
    /// feed.
    var floorMax: Double { [.cold: 2.3, .unchanged: 1.7, .changed: 2.2][self] ?? 0 }

    /// Returns the limit of fetchrun's cost in multiples of the Go program's cost; nil if there is
    /// no limit.
    func handWrittenMax(_ hosts: FarmFeed.Hosts) -> Double? {
      switch self {
      case .cold: nil
      case .unchanged: hosts == .own ? 1.1 : 2
      case .changed: 0.75
      }
    }
  }

  struct Sample {
    var floor: Floor.Cost
    var handWritten: Usage?
    var product: Usage?
    /// The numbers of connections of the floor, the Go program and fetchrun.
    var connections: [Int] = []
  }

  private struct Row: Hashable {
    var count: Int
    var hosts: FarmFeed.Hosts
    var phase: Phase
  }

  let server: FeedServer
  let scratch: URL
  let product: Product?
  let handWritten: HandWritten?
  var farm: FeedFarm
  private var samples: [Row: [Sample]] = [:]
  /// The median CPU time in seconds of a run of one feed in each phase, which counts as the cost of
  /// the start. The changed phase has the value of the unchanged phase.
  private var alone: [Phase: Double] = [:]
  private(set) var mistakes: [String] = []

  init(server: FeedServer, farm: FeedFarm, scratch: URL, product: Product?) {
    self.server = server
    self.farm = farm
    self.scratch = scratch
    self.product = product
    handWritten = product == nil ? nil : HandWritten(scratch: scratch)
    if product != nil, handWritten == nil {
      report("no Go program: install golang-go, golang-github-mmcdole-gofeed-dev and")
      report("golang-github-mattn-go-sqlite3-dev to compare with it")
    }
  }

  /// Returns the number of repeats: small numbers of feeds are measured more often, so that noise
  /// does not decide the result.
  static func repeats(_ count: Int) -> Int { min(5, max(1, 3_000 / max(1, count))) }

  mutating func measure(count: Int, hosts: FarmFeed.Hosts, repeats: Int) throws {
    let urls = farm.feeds.prefix(count).map { server.url(of: $0, hosts: hosts) }
    let config = try product?.configure(urls: urls)
    for number in 1...repeats {
      report("\(count) feeds, hostnames: \(hosts.rawValue), repeat \(number) of \(repeats)")
      product?.forgetStore()
      handWritten?.forgetStore()
      let counts = Dictionary(
        uniqueKeysWithValues: (0..<count).map { ($0, farm.feeds[$0].itemCount) })
      var row = Row(count: count, hosts: hosts, phase: .cold)
      try add(row, urls, config: config, added: counts) { try $0.cold() }

      row.phase = .unchanged
      let date = farm.date
      try add(row, urls, config: config, added: [:]) {
        try $0.again(modifiedSince: date, changed: [])
      }

      row.phase = .changed
      let added = try farm.change(first: count)
      try add(row, urls, config: config, added: added) {
        try $0.again(modifiedSince: date, changed: added.keys.sorted())
      }
    }
  }

  private static let aloneRepeats = 5

  /// Measures the runs of one feed. Call this function before the feeds change.
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
    _ row: Row, _ urls: [String], config: URL?, added: [Int: Int],
    floor: (Floor) throws -> Floor.Cost
  ) throws {
    var counts = [try server.connectionCount(scratch: scratch)]
    var sample = Sample(
      floor: try floor(
        Floor(
          farm: farm, server: server, hosts: row.hosts, count: row.count, scratch: scratch)))
    counts.append(try server.connectionCount(scratch: scratch))
    sample.handWritten = try handWritten?.run(urls, added: added.values.reduce(0, +))
    counts.append(try server.connectionCount(scratch: scratch))
    if let product, let config {
      let (usage, lines) = try product.run(config: config)
      sample.product = usage
      let found = RunLine.mistakes(in: lines, count: row.count, added: added)
      for mistake in found.prefix(5) { report("  \(row.phase.rawValue): \(mistake)") }
      if found.count > 5 { report("  and \(found.count - 5) more") }
      mistakes += found
    }
    counts.append(try server.connectionCount(scratch: scratch))
    sample.connections = zip(counts, counts.dropFirst()).map { $1 - $0 }
    samples[row, default: []].append(sample)
  }

  // MARK: The tables

  private var rows: [Row] {
    Set(samples.keys.map(\.count)).sorted().flatMap { count in
      FarmFeed.Hosts.allCases.flatMap { hosts in
        Phase.allCases.map { Row(count: count, hosts: hosts, phase: $0) }
      }
    }.filter { samples[$0] != nil }
  }

  var table: String {
    var costs = Table()
    costs.add(
      "feeds, hostnames", "phase", "curl", "xmllint", "sqlite3", "floor", "Go", "fetchrun",
      "of it workers", "× floor", "by least", "at most", "× Go", "by least", "at most")
    var others = Table()
    others.add(
      "feeds, hostnames", "phase", "curl's connections", "Go's", "fetchrun's", "wall s", "peak MB",
      "all MB")
    for row in rows {
      let some = samples[row] ?? []
      let cost = { (value: (Sample) -> Double) in
        some.map(value).median * 1e3 / Double(row.count)
      }
      let head = ["\(row.count), \(row.hosts.rawValue)", row.phase.rawValue]
      let floor = some.map(\.floor.cpuSeconds)
      let peer = some.compactMap { $0.handWritten?.cpuSeconds }
      let usages = some.compactMap(\.product)
      let own = usages.map(\.cpuSeconds)
      func compared(_ others: [Double], _ most: Double?) -> [String] {
        guard !own.isEmpty, own.count == others.count else { return ["", "", ""] }
        let least = (own.min() ?? 0) / (others.min() ?? 1)
        return [
          zip(own, others).map { $0 / $1 }.median.text(2), least.text(2), most?.text(2) ?? "",
        ]
      }
      costs.add(
        head
          + [
            cost { $0.floor.fetch.cpuSeconds }, cost { $0.floor.parse.cpuSeconds },
            cost { $0.floor.store.cpuSeconds }, cost { $0.floor.cpuSeconds },
            cost { $0.handWritten?.cpuSeconds ?? 0 }, cost { $0.product?.cpuSeconds ?? 0 },
            cost { $0.product?.childrenSeconds ?? 0 },
          ].map { $0.text(3) }
          + compared(floor, row.hosts == .own ? row.phase.floorMax : nil)
          + compared(peer, row.phase.handWrittenMax(row.hosts)))
      others.add(
        head + (0..<3).map { index in some.map { Double($0.connections[index]) }.median.text(0) }
          + [
            usages.map(\.wallSeconds).median.text(2), megabytes(usages.map(\.peakBytes)),
            megabytes(usages.map(\.peakSumBytes)),
          ])
    }
    return "CPU ms per feed (user and system, host and workers together)\n" + costs.text + "\n\n"
      + others.text + flatness
  }

  /// The cost per feed with the most feeds, relative to the cost with the fewest: for fetchrun in
  /// total and without the cost of the start, and for the floor.
  private var flatness: String {
    let counts = samples.keys.map(\.count)
    guard product != nil, let few = counts.min(), let many = counts.max(), few < many
    else { return "" }
    func ratios(_ value: @escaping (Sample) -> Double, beyond start: [Phase: Double]) -> String {
      Phase.allCases.map { phase in
        let cost = { (count: Int) in
          let some = samples[Row(count: count, hosts: .own, phase: phase)] ?? []
          return (some.map(value).median - (start[phase] ?? 0)) / Double(count)
        }
        return "\(phase.rawValue) × \((cost(many) / cost(few)).text(2))"
      }.joined(separator: ", ")
    }
    let own = { (sample: Sample) in sample.product?.cpuSeconds ?? 0 }
    let starts = Phase.allCases.map { ((alone[$0] ?? 0) * 1e3).text(1) }.joined(separator: ", ")
    return """


      cost per feed, \(many) against \(few) feeds: \(ratios(own, beyond: [:])) (at most 1.15)
      beyond the start (\(starts) ms): \(ratios(own, beyond: alone)) (from 0.85 to 1.15)
      the floor's: \(ratios({ $0.floor.cpuSeconds }, beyond: [:])) (at most 1.00)
      """
  }

  private func megabytes(_ bytes: [Int]) -> String {
    (bytes.map { Double($0) / 1e6 }.max() ?? 0).text(0)
  }
}
