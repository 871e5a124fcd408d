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
  /// The person's name, otherwise the e-mail address, otherwise the URL.
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
