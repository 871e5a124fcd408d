import FetchSandbox

/// How the parser did on mutated feeds, for all kinds of damage and for each.
struct FeedMutationScore {
  struct Count {
    var cases = 0
    /// Cases in which every item whose own text is undamaged came out unchanged.
    var whole = 0
    /// Undamaged items, and those of them that came out unchanged.
    var items = 0
    var unchanged = 0
    /// Cases without an item and without an error.
    var silent = 0
    var refused = 0

    var wholePercent: Double { cases == 0 ? 100 : 100 * Double(whole) / Double(cases) }
    var unchangedPercent: Double { items == 0 ? 100 : 100 * Double(unchanged) / Double(items) }
  }

  private(set) var total = Count()
  private(set) var byKind: [FeedMutation.Kind: Count] = [:]
  /// The first cases of each kind that failed, for people.
  private(set) var failures: [FeedMutation.Kind: [String]] = [:]
  static let failureCountMax = 12

  mutating func add(_ name: String, _ feed: MutatedFeed, want: [FeedItem], _ mutation: FeedMutation)
  {
    let text = mutation.applied(to: feed.bytes)
    let items = try? parse(text).items
    var count = Count()
    count.cases = 1
    for (item, range) in zip(want, feed.items) where !mutation.damages(range) {
      count.items += 1
      if items?.contains(item) == true { count.unchanged += 1 }
    }
    count.whole = count.items == count.unchanged ? 1 : 0
    count.silent = items?.isEmpty == true ? 1 : 0
    count.refused = items == nil ? 1 : 0
    total.add(count)
    byKind[mutation.kind, default: Count()].add(count)
    if count.whole == 0 || count.silent > 0 { note(name, feed, mutation, count) }
  }

  private mutating func note(
    _ name: String, _ feed: MutatedFeed, _ mutation: FeedMutation, _ count: Count
  ) {
    let isNew = failures[mutation.kind, default: []].count < Self.failureCountMax
    guard isNew || count.silent > 0 && total.silent < Self.failureCountMax else { return }
    let from = max(0, mutation.range.lowerBound - 30)
    let to = min(feed.bytes.count, mutation.range.lowerBound + 30)
    let before = String(decoding: feed.bytes[from..<mutation.range.lowerBound], as: UTF8.self)
    let behind = String(decoding: feed.bytes[mutation.range.lowerBound..<to], as: UTF8.self)
    let new = String(decoding: mutation.replacement.prefix(60), as: UTF8.self)
    failures[mutation.kind, default: []].append(
      "\(name) at \(mutation.range): \(before)⟦-\(mutation.range.count) +\(new)⟧\(behind)"
        .replacing("\r", with: "␍").replacing("\n", with: "␤")
        + " (\(count.unchanged) of \(count.items)\(count.silent > 0 ? ", silent" : ""))")
  }

  /// Scores all feeds, with at most about so many mutations of each kind for each feed.
  static func measure(perKind countMax: Int = .max) throws -> FeedMutationScore {
    var score = FeedMutationScore()
    for (number, (name, text)) in SampleFeeds.all.enumerated() {
      let feed = MutatedFeed(text)
      let want = try parse(feed.bytes).items
      for kind in FeedMutation.Kind.allCases {
        let count = feed.count(kind)
        var step = max(1, count / countMax)
        // Otherwise every place would have the same of the texts that are put in.
        while step > 1, step % 2 == 0 || step % 5 == 0 { step += 1 }
        for place in stride(from: number * 7 % step, to: count, by: step) {
          score.add(name, feed, want: want, feed.mutation(kind, place))
        }
      }
    }
    return score
  }

  /// A table as Markdown.
  var table: String {
    func row(_ name: String, _ count: Count) -> String {
      func percent(_ value: Double) -> String {
        let tenths = Int((value * 100).rounded(.down))
        return "\(tenths / 100).\(tenths / 10 % 10)\(tenths % 10) %"
      }
      return "| \(name) | \(count.cases) | \(percent(count.wholePercent)) | "
        + "\(percent(count.unchangedPercent)) | \(count.refused) | \(count.silent) |\n"
    }
    return
      "| damage | cases | cases with all undamaged items | undamaged items | refused | no items, no error |\n"
      + "|---|---|---|---|---|---|\n" + row("all", total)
      + FeedMutation.Kind.allCases.map { row($0.rawValue, byKind[$0] ?? Count()) }.joined()
  }
}

extension FeedMutationScore.Count {
  mutating func add(_ other: Self) {
    cases += other.cases
    whole += other.whole
    items += other.items
    unchanged += other.unchanged
    silent += other.silent
    refused += other.refused
  }
}
