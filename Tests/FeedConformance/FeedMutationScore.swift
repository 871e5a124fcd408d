import FetchSandbox

/// The parser's results on mutated feeds, in total and for each kind of damage.
package struct FeedMutationScore: Sendable {
  struct Count {
    var cases = 0
    /// The number of cases in which every undamaged item was parsed unchanged.
    var whole = 0
    /// The number of cases in which every undamaged item was parsed unchanged. If the feed's own
    /// authors or language are damaged, the items' authors and language do not count.
    var wholeButInherited = 0
    /// The number of undamaged items. `unchanged` is the number of undamaged items that were parsed
    /// unchanged.
    var items = 0
    var unchanged = 0
    /// The number of cases in which the parser returned no item and no error.
    var silent = 0
    var refused = 0

    var wholePercent: Double { cases == 0 ? 100 : 100 * Double(whole) / Double(cases) }
    var wholeButInheritedPercent: Double {
      cases == 0 ? 100 : 100 * Double(wholeButInherited) / Double(cases)
    }
    var unchangedPercent: Double { items == 0 ? 100 : 100 * Double(unchanged) / Double(items) }
  }

  /// The minimum of `wholePercent` for each kind of damage.
  static let wholePercentMin = 95.0

  private(set) var total = Count()
  private(set) var byKind: [FeedMutation.Kind: Count] = [:]
  /// Examples of failed cases of each kind, at most `failureCountMax`.
  private(set) var failures: [FeedMutation.Kind: [String]] = [:]
  /// Examples of cases without an item and without an error, at most `failureCountMax`.
  private(set) var silences: [String] = []
  static let failureCountMax = 12

  package init() {}

  /// The limits that the score violates, with examples. The list is empty if the score is within
  /// all limits.
  package var mistakes: [String] {
    var mistakes: [String] = []
    if total.silent > 0 {
      mistakes.append("\(total.silent) feeds without an item and without an error: \(silences)")
    }
    for kind in FeedMutation.Kind.allCases {
      guard let count = byKind[kind], count.wholePercent < Self.wholePercentMin else { continue }
      mistakes.append("\(kind.rawValue): \(count.wholePercent) %: \(failures[kind] ?? [])")
    }
    return mistakes
  }

  private mutating func add(
    _ name: String, _ feed: MutatedFeed, want: [FeedItem], _ mutation: FeedMutation
  ) {
    let items = try? Self.items(of: mutation.applied(to: feed.bytes))
    var count = Count()
    count.cases = 1
    let undamaged = zip(want, feed.items).filter { !mutation.damages($1) }.map(\.0)
    count.items = undamaged.count
    count.unchanged = undamaged.count { items?.contains($0) == true }
    count.whole = count.items == count.unchanged ? 1 : 0
    count.wholeButInherited = count.whole
    if count.whole == 0, feed.inherited.contains(where: mutation.damages) {
      let own = (items ?? []).map(Self.withoutInherited)
      let isWhole = undamaged.allSatisfy { own.contains(Self.withoutInherited($0)) }
      count.wholeButInherited = isWhole ? 1 : 0
    }
    count.silent = items?.isEmpty == true ? 1 : 0
    count.refused = items == nil ? 1 : 0
    total.add(count)
    byKind[mutation.kind, default: Count()].add(count)
    if count.wholeButInherited == 0,
      failures[mutation.kind, default: []].count < Self.failureCountMax
    {
      failures[mutation.kind, default: []].append(Self.sentence(name, feed, mutation, count))
    }
    if count.silent > 0, silences.count < Self.failureCountMax {
      silences.append(Self.sentence(name, feed, mutation, count))
    }
  }

  private static func withoutInherited(_ item: FeedItem) -> FeedItem {
    var item = item
    item.authors = []
    item.language = nil
    return item
  }

  private static func items(of text: [UInt8]) throws -> [FeedItem] {
    try text.withUnsafeBytes {
      try FeedDocument.parse($0, origin: .init(url: "https://example.org/feed.xml")).items
    }
  }

  private static func sentence(
    _ name: String, _ feed: MutatedFeed, _ mutation: FeedMutation, _ count: Count
  ) -> String {
    let from = max(0, mutation.range.lowerBound - 30)
    let to = min(feed.bytes.count, mutation.range.lowerBound + 30)
    let before = String(decoding: feed.bytes[from..<mutation.range.lowerBound], as: UTF8.self)
    let behind = String(decoding: feed.bytes[mutation.range.lowerBound..<to], as: UTF8.self)
    let new = String(decoding: mutation.replacement.prefix(60), as: UTF8.self)
    let place = "\(before)⟦-\(mutation.range.count) +\(new)⟧\(behind)"
      .replacing("\r\n", with: "␍␤").replacing("\n", with: "␤")
    return "\(name) at \(mutation.range): \(place) (\(count.unchanged) of \(count.items))"
  }

  /// Returns the score of all feeds, with about `countMax` mutations of each kind for each feed.
  package static func measure(perKind countMax: Int) throws -> FeedMutationScore {
    var score = FeedMutationScore()
    for number in SampleFeeds.all.indices {
      score.add(try measure(feed: number, perKind: countMax))
    }
    return score
  }

  /// Returns the score of one sample feed.
  package static func measure(feed number: Int, perKind countMax: Int) throws -> FeedMutationScore {
    var score = FeedMutationScore()
    let (name, text) = SampleFeeds.all[number]
    let feed = MutatedFeed(text)
    let want = try items(of: feed.bytes)
    for kind in FeedMutation.Kind.allCases {
      let count = feed.count(kind)
      var step = max(1, count / countMax)
      // With a step divisible by 2 or 5, the cases at a place would always insert the same text.
      while step > 1, step % 2 == 0 || step % 5 == 0 { step += 1 }
      for place in stride(from: number * 7 % step, to: count, by: step) {
        score.add(name, feed, want: want, feed.mutation(kind, place))
      }
    }
    return score
  }

  /// Adds the counts and examples of another score.
  package mutating func add(_ other: Self) {
    total.add(other.total)
    byKind.merge(other.byKind) { one, two in
      var sum = one
      sum.add(two)
      return sum
    }
    failures.merge(other.failures) { Array(($0 + $1).prefix(Self.failureCountMax)) }
    silences = Array((silences + other.silences).prefix(Self.failureCountMax))
  }
}

extension FeedMutationScore {
  /// The score as a Markdown table.
  package var table: String {
    "| damage | cases | all undamaged items | but what is inherited | undamaged items | refused "
      + "| silent |\n|---|---|---|---|---|---|---|\n" + row("all", total)
      + FeedMutation.Kind.allCases.map { row($0.rawValue, byKind[$0] ?? Count()) }.joined()
  }

  /// Returns the table's row for all kinds of damage together, with a feed's name in its first
  /// column.
  package func line(_ name: String) -> String { row(name, total) }

  private func row(_ name: String, _ count: Count) -> String {
    func percent(_ value: Double) -> String {
      let hundredths = Int((value * 100).rounded(.down))
      return "\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10) %"
    }
    let parts = [
      name, "\(count.cases)", percent(count.wholePercent),
      percent(count.wholeButInheritedPercent), percent(count.unchangedPercent),
      "\(count.refused)", "\(count.silent)",
    ]
    return "| " + parts.joined(separator: " | ") + " |\n"
  }
}

extension FeedMutationScore.Count {
  mutating func add(_ other: Self) {
    cases += other.cases
    whole += other.whole
    wholeButInherited += other.wholeButInherited
    items += other.items
    unchanged += other.unchanged
    silent += other.silent
    refused += other.refused
  }
}
