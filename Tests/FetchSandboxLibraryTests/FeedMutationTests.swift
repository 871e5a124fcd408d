import FeedConformance
import FetchSandbox
import Testing

/// Tests with thirty feeds, damaged in every way of `FeedMutation.Kind`. The suite tests a fixed
/// sample of the places. `ConformanceRunner mutations` tests every place.
@Suite struct FeedMutationTests {
  /// The number of mutations of each kind for each feed in the sample.
  private static let sampleCount = 6

  @Test func `there are thirty sample feeds, which are read without repair`() throws {
    #expect(SampleFeeds.all.count == 30)
    for (name, text) in SampleFeeds.all {
      let feed = try parse(text)
      #expect(feed.isRepaired == text.contains("<!DOCTYPE"), "\(name)")
      #expect(feed.items.count == MutatedFeed(text).items.count, "\(name)")
    }
  }

  @Test func `damage changes only its own item, and never hides all items without an error`() throws
  {
    let score = try FeedMutationScore.measure(perKind: Self.sampleCount)
    #expect(score.mistakes.isEmpty, "\(score.mistakes)\n\(score.table)")
  }

  @Test func `a repair does not change the meaning of a feed`() throws {
    for (name, text) in SampleFeeds.all {
      let bytes = Array(text.utf8)
      let repaired = bytes.withUnsafeBytes { XMLRepair.repaired($0) }
      #expect(try parse(repaired).items == parse(bytes).items, "\(name)")
      // A control character between two items makes the feed ill-formed without any other change.
      let place = MutatedFeed(text).items[0].upperBound
      let damaged = try parse(bytes[..<place] + [0x01] + bytes[place...])
      #expect(damaged.isRepaired)
      #expect(try damaged.items == parse(bytes).items, "\(name)")
    }
  }

  @Test func `a repaired feed is well-formed, and a second repair changes no item`() throws {
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

  /// The texts for which the repair searches, and the texts at which the repair stops.
  static let pieces = [
    "<item>", "</item>", "<entry", "<![CDATA[", "]]>", "<!--", "-->", "<?", "?>", "<a b='",
    "<a x=\"<",
    "<title>", "</title", "<p>", "&", "<rss>", "</rss>", "<channel>", "</channel>", "x", "<!", "]",
    "<![CDATA[</title>", "<!DOCTYPE a [", "<!ENTITY a '", "<item/>", "<source>", "<a:b>", "-", "/",
  ]

  @Test(arguments: pieces) func `the work of the repair is linear`(piece: String) {
    let start = Self.pieces.firstIndex(of: piece) ?? 0
    for offset in [0, 1, 4, 9, 13, 18, 22, 27] {
      let other = Self.pieces[(start + offset) % Self.pieces.count]
      for head in ["<rss><channel>", "<x>"] {
        let small = work(head, piece + other, 50)
        let large = work(head, piece + other, 800)
        // Sixteen times as many bytes may cause at most sixteen times the work, plus a constant.
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
