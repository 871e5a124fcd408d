import FetchValues

/// A histogram of the time between the publication of an item and the run that found the item.
package struct DelayPlot: Sendable {
  /// The exclusive upper bounds of the bars. One more bar counts the longer delays.
  private static let bounds: [(label: String, limit: Duration)] = [
    ("5 min", .seconds(300)), ("15 min", .seconds(900)), ("1 h", .seconds(3_600)),
    ("3 h", .seconds(10_800)), ("12 h", .seconds(43_200)), ("1 day", .seconds(86_400)),
  ]

  private let counts: [Int]

  /// Creates the plot of delays. Leaves out negative delays, which belong to items dated in the
  /// future. Returns nil if no delay is left.
  package init?(_ delays: [Duration]) {
    var counts = Array(repeating: 0, count: Self.bounds.count + 1)
    for delay in delays where delay >= .zero {
      counts[Self.bounds.firstIndex { delay < $0.limit } ?? Self.bounds.count] += 1
    }
    guard counts.contains(where: { $0 > 0 }) else { return nil }
    self.counts = counts
  }

  /// The bars as a table with numbers, so that screen readers can read the numbers.
  package var html: HTML {
    let most = counts.max() ?? 1
    let labels = Self.bounds.map { "up to \($0.label)" } + ["longer"]
    let rows = zip(labels, counts).map { label, count -> HTML in
      let width = most > 0 ? count * 200 / most : 0
      return """
        <tr><th scope="row">\(label)</th><td><svg class="bar" viewBox="0 0 200 10" \
        preserveAspectRatio="none" aria-hidden="true"><path d="M0 5H\(width)"/></svg></td>\
        <td class="number">\(count)</td></tr>
        """
    }
    return """
      <table class="delays"><caption class="unseen">Number of items by delay</caption>\
      <tbody>\(each: rows, { $0 })</tbody></table>
      """
  }
}
