import FeedConformance
import FetchSandbox
import Testing

/// Damages thirty feeds in every way that `FeedMutation.Kind` names and looks at what comes out.
/// The suite takes a sample of the places, always the same; `ConformanceRunner mutations` takes
/// every place.
@Suite struct FeedMutationTests {
  /// Mutations of each kind for each feed in the sample.
  private static let sampleCount = 6

  @Test func `the sample feeds are thirty, and are read without repair`() throws {
    #expect(SampleFeeds.all.count == 30)
    for (name, text) in SampleFeeds.all {
      let feed = try parse(text)
      #expect(feed.isRepaired == text.contains("<!DOCTYPE"), "\(name)")
      #expect(feed.items.count == MutatedFeed(text).items.count, "\(name)")
    }
  }

  @Test func `damage changes no item but its own, and never hides all items`() throws {
    let score = try FeedMutationScore.measure(perKind: Self.sampleCount)
    #expect(score.mistakes.isEmpty, "\(score.mistakes)\n\(score.table)")
  }

  @Test func `a feed means the same whether it is repaired or not`() throws {
    for (name, text) in SampleFeeds.all {
      let bytes = Array(text.utf8)
      let repaired = bytes.withUnsafeBytes { XMLRepair.repaired($0) }
      #expect(try parse(repaired).items == parse(bytes).items, "\(name)")
      // A control character between the items makes the feed ill-formed and changes nothing else.
      let place = MutatedFeed(text).items[0].upperBound
      let damaged = try parse(bytes[..<place] + [0x01] + bytes[place...])
      #expect(damaged.isRepaired)
      #expect(try damaged.items == parse(bytes).items, "\(name)")
    }
  }

  @Test func `whatever is repaired is well-formed, and repairing it again changes no item`() throws
  {
    for (number, (name, text)) in SampleFeeds.all.enumerated() {
      let feed = MutatedFeed(text)
      for kind in FeedMutation.Kind.allCases {
        let count = feed.count(kind)
        for place in stride(from: number % 5, to: count, by: max(1, count / 2)) {
          let damaged = feed.mutation(kind, place).applied(to: feed.bytes)
          guard let first = try? parse(damaged), first.isRepaired else { continue }
          let second = try parse(damaged.withUnsafeBytes { XMLRepair.repaired($0) })
          #expect(!second.isRepaired, "\(name), \(kind) \(place)")
          #expect(second.items == first.items, "\(name), \(kind) \(place)")
        }
      }
    }
  }

  /// What the repair searches for, and what it stops at.
  static let pieces = [
    "<item>", "</item>", "<entry", "<![CDATA[", "]]>", "<!--", "-->", "<?", "?>", "<a b='",
    "<a x=\"<",
    "<title>", "</title", "<p>", "&", "<rss>", "</rss>", "<channel>", "</channel>", "x", "<!", "]",
    "<![CDATA[</title>", "<!DOCTYPE a [", "<!ENTITY a '", "<item/>", "<source>", "<a:b>", "-", "/",
  ]

  @Test(arguments: pieces) func `the repair's work is linear`(piece: String) {
    let start = Self.pieces.firstIndex(of: piece) ?? 0
    for offset in [0, 1, 4, 9, 13, 18, 22, 27] {
      let other = Self.pieces[(start + offset) % Self.pieces.count]
      for head in ["<rss><channel>", "<x>"] {
        let small = work(head, piece + other, 50)
        let large = work(head, piece + other, 800)
        // Sixteen times the bytes are at most sixteen times the work, and a constant.
        #expect(large <= 16 * small + 4000, "\(head) \(piece) \(other): \(small), \(large)")
      }
    }
  }

  private func work(_ head: String, _ piece: String, _ count: Int) -> Int {
    Array((head + String(repeating: piece, count: count)).utf8).withUnsafeBytes {
      XMLRepair.work($0)
    }
  }
}
