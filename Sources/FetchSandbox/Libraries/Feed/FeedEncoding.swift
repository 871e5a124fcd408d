package import FetchValues

/// The conversion of feeds to Lua values. The tables in `FeedItem` and `Feed` list the fields.
extension Feed {
  /// Writes the list of items.
  package func writeItems(to writer: inout ValueWriter) {
    writer.beginArray(count: items.count)
    var fields = FieldWriter(reserving: 4096)
    for item in items {
      item.write(to: &fields)
      fields.finish(into: &writer)
    }
  }

  /// Writes the table about the feed itself.
  package func writeFeed(to writer: inout ValueWriter) {
    var fields = FieldWriter(reserving: 1024)
    fields.field("format", format)
    fields.field("title", title)
    fields.field("subtitle", subtitle)
    fields.field("url", url)
    fields.field("feed_url", feedURL)
    fields.field("next_url", nextURL)
    fields.field("hub", hub)
    fields.field("id", id)
    fields.field("language", language)
    fields.field("rights", rights)
    fields.field("license", license)
    fields.field("generator", generator)
    fields.field("updated", updated)
    fields.field("published", published)
    fields.field("author", authors.first?.label)
    fields.people("authors", authors)
    fields.field("image", image)
    fields.field("tags", tags)
    fields.field("ttl", ttl)
    fields.field("skip_hours", skipHours)
    fields.field("skip_days", skipDays)
    fields.field("update_period", updatePeriod)
    fields.field("update_frequency", updateFrequency)
    fields.field("update_base", updateBase)
    if isRepaired { fields.field("repaired", true) }
    fields.finish(into: &writer)
  }
}

extension FeedItem {
  func write(to fields: inout FieldWriter) {
    fields.field("id", id)
    fields.field("title", title)
    fields.field("url", url)
    fields.field("published", published)
    fields.field("updated", updated)
    fields.field("author", authors.first?.label)
    fields.people("authors", authors)
    fields.people("contributors", contributors)
    fields.field("summary", summary)
    fields.field("content", content)
    fields.field("subtitle", subtitle)
    fields.field("tags", tags)
    fields.tables("enclosures", enclosures) { $0.write(to: &$1) }
    fields.field("comments", comments)
    fields.field("comments_feed", commentsFeed)
    fields.field("comments_count", commentsCount)
    fields.field("image", image)
    fields.field("thumbnail", thumbnail)
    fields.tables("media", media) { $0.write(to: &$1) }
    writeRest(to: &fields)
  }

  private func writeRest(to fields: inout FieldWriter) {
    if let source {
      fields.table("source") {
        $0.field("title", source.title)
        $0.field("url", source.url)
      }
    }
    fields.field("language", language)
    fields.field("rights", rights)
    fields.field("license", license)
    fields.field("duration", duration)
    fields.field("episode", episode)
    fields.field("season", season)
    fields.field("episode_type", episodeType)
    fields.field("explicit", isExplicit)
    if let inReplyTo {
      fields.table("in_reply_to") {
        $0.field("id", inReplyTo.id)
        $0.field("url", inReplyTo.url)
      }
    }
    fields.field("latitude", latitude)
    fields.field("longitude", longitude)
    fields.field("original_url", originalURL)
  }
}

extension FeedEnclosure {
  func write(to fields: inout FieldWriter) {
    fields.field("url", url)
    fields.field("type", type)
    fields.field("length", length)
  }
}

extension FeedMedia {
  func write(to fields: inout FieldWriter) {
    fields.field("url", url)
    fields.field("type", type)
    fields.field("medium", medium)
    fields.field("width", width)
    fields.field("height", height)
    fields.field("length", length)
    fields.field("duration", duration)
  }
}

extension FeedPerson {
  var label: String? { name ?? email ?? url }
}

extension FieldWriter {
  mutating func people(_ name: StaticString, _ people: [FeedPerson]) {
    tables(name, people) {
      $1.field("name", $0.name)
      $1.field("email", $0.email)
      $1.field("url", $0.url)
    }
  }
}

/// A collector of the fields with a value. The fields are written later, because the table's head
/// must contain their number.
struct FieldWriter {
  private var body: ValueWriter
  private var count = 0

  init(reserving capacity: Int = 64) { body = ValueWriter(reserving: capacity) }

  /// Writes the table and begins the next one.
  mutating func finish(into writer: inout ValueWriter) {
    writer.beginObject(count: count)
    body.bytes.withUnsafeBytes { writer.append(encoded: $0) }
    body.removeAll()
    count = 0
  }

  private mutating func key(_ name: StaticString) {
    body.write(name)
    count += 1
  }

  mutating func field(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    key(name)
    body.write(text)
  }

  mutating func field(_ name: StaticString, _ number: Int64?) {
    guard let number else { return }
    key(name)
    body.write(number)
  }

  mutating func field(_ name: StaticString, _ number: Double?) {
    guard let number, number.isFinite else { return }
    key(name)
    body.write(number)
  }

  mutating func field(_ name: StaticString, _ flag: Bool?) {
    guard let flag else { return }
    key(name)
    body.write(flag)
  }

  mutating func field(_ name: StaticString, _ time: Timestamp?) {
    guard let time else { return }
    key(name)
    body.write(bytes: RFC3339Text.bytes(time))
  }

  mutating func field(_ name: StaticString, _ texts: [String]) {
    guard !texts.isEmpty else { return }
    key(name)
    body.beginArray(count: texts.count)
    for text in texts { body.write(text) }
  }

  mutating func field(_ name: StaticString, _ numbers: [Int64]) {
    guard !numbers.isEmpty else { return }
    key(name)
    body.beginArray(count: numbers.count)
    for number in numbers { body.write(number) }
  }

  mutating func tables<Element>(
    _ name: StaticString, _ elements: [Element],
    _ write: (Element, inout FieldWriter) -> Void
  ) {
    guard !elements.isEmpty else { return }
    key(name)
    body.beginArray(count: elements.count)
    var inner = FieldWriter()
    for element in elements {
      write(element, &inner)
      inner.finish(into: &body)
    }
  }

  mutating func table(_ name: StaticString, _ write: (inout FieldWriter) -> Void) {
    key(name)
    var inner = FieldWriter()
    write(&inner)
    inner.finish(into: &body)
  }
}
