/// One entry of a generated feed, before it is written as RSS, Atom or SQL.
struct FarmItem {
  var title: [UInt8]
  var link: [UInt8]
  var guid: [UInt8]
  var author: [UInt8]
  var categories: [[UInt8]]
  /// The date of the item in seconds since 1970.
  var date: Int
  /// The short text, as HTML.
  var summary: [UInt8]
  /// The whole text, as HTML; empty in feeds with summaries only.
  var content: [UInt8]

  /// The text that a feed reader would store: the whole text, or the summary if there is no whole
  /// text.
  var text: [UInt8] { content.isEmpty ? summary : content }
}

extension FarmItem {
  /// Creates item `number` of a feed, where 0 is the oldest. The same number and the same feed
  /// always give the same item.
  init(_ number: Int, of feed: FarmFeed) {
    var generator = SeededGenerator(1, feed.number, number)
    var prose = Prose(generator: SeededGenerator(2, feed.number, number))
    title = prose.title()
    link = Array("https://www.example.org/\(feed.number)/2026/story-\(number).html".utf8)
    guid = feed.number % 3 == 0 ? link : Array("tag:example.org,2026:\(feed.number)/\(number)".utf8)
    author = Array("Author \(feed.number % 50 * 7 + generator.below(5))".utf8)
    categories = (0..<generator.below(4)).map { _ in
      Prose.vocabulary[200 + generator.below(400)]
    }
    date = FarmFeed.firstDate + feed.number * 61 + number * 5_400 + generator.below(3_000)
    summary = prose.html(bytes: generator.within(80...400))
    content = feed.isTextHeavy ? prose.html(bytes: generator.within(1_200...6_000)) : []
  }
}
