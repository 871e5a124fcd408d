import FetchValues

/// The reader of JSON Feed 1.0 and 1.1 (https://jsonfeed.org/version/1.1). Members of a wrong type
/// are ignored, but ids may be integers, and `tags` may be one string with commas.
struct JSONFeedReader {
  private let scope: FeedScope

  /// Returns the feed; nil if the JSON is not a JSON Feed.
  static func read(_ document: Value, scope: FeedScope) -> Feed? {
    guard let version = document["version"]?.stringValue,
      let number = version.utf8.lastIndex(of: UInt8(ascii: "/")),
      version.contains("jsonfeed.org/version/")
    else { return nil }
    let reader = JSONFeedReader(scope: scope)
    return reader.feed(document, format: "json" + version[version.index(after: number)...])
  }

  private func feed(_ document: Value, format: String) -> Feed {
    var feed = Feed()
    feed.format = format
    feed.title = text(document["title"])
    feed.subtitle = text(document["description"])
    feed.url = address(document["home_page_url"])
    feed.feedURL = address(document["feed_url"])
    feed.nextURL = address(document["next_url"])
    feed.hub = document["hubs"]?.arrayValue?.first.flatMap { address($0["url"]) }
    feed.id = feed.feedURL
    feed.language = text(document["language"]) ?? scope.language
    feed.image = address(document["icon"]) ?? address(document["favicon"])
    feed.authors = people(document)
    let items = document["items"]?.arrayValue ?? []
    feed.items = items.prefix(FeedReader.itemCountMax).filter { $0.objectValue != nil }.map {
      item($0, in: feed)
    }
    return feed
  }

  private func item(_ value: Value, in feed: Feed) -> FeedItem {
    var item = FeedItem()
    item.id = id(value["id"])
    item.url = address(value["url"])
    item.originalURL = address(value["external_url"])
    item.title = text(value["title"])
    item.content = text(value["content_html"]) ?? text(value["content_text"])
    item.summary = text(value["summary"])
    item.image = address(value["image"]) ?? address(value["banner_image"])
    item.published = date(value["date_published"])
    item.updated = date(value["date_modified"])
    item.language = text(value["language"]) ?? feed.language
    item.authors = people(value)
    if item.authors.isEmpty { item.authors = feed.authors }
    for tag in tags(value["tags"]) { item.tags.addTag(tag) }
    item.enclosures = (value["attachments"]?.arrayValue ?? []).compactMap(enclosure)
    item.url = item.url ?? item.originalURL
    item.completeID()
    return item
  }

  private func enclosure(_ value: Value) -> FeedEnclosure? {
    address(value["url"]).map {
      FeedEnclosure(
        url: $0, type: text(value["mime_type"]), length: value["size_in_bytes"]?.integerValue)
    }
  }

  /// Returns the people in `authors` (version 1.1) or `author` (version 1).
  private func people(_ value: Value) -> [FeedPerson] {
    let list = value["authors"]?.arrayValue ?? value["author"].map { [$0] } ?? []
    return list.compactMap {
      let person = FeedPerson(name: text($0["name"]), url: address($0["url"]))
      return person.isEmpty ? nil : person
    }
  }

  /// Returns the strings of a list, or the parts of one string between its commas.
  private func tags(_ value: Value?) -> [String?] {
    if let list = value?.arrayValue { return list.map(text) }
    let words = value?.stringValue?.utf8.split(separator: UInt8(ascii: ",")) ?? []
    return words.map { FeedText.string(Array($0)[...]) }
  }

  private func text(_ value: Value?) -> String? {
    value?.stringValue.flatMap { FeedText.string(Array($0.utf8)[...]) }
  }

  private func id(_ value: Value?) -> String? {
    text(value) ?? value?.integerValue.map { String($0) }
  }

  private func address(_ value: Value?) -> String? { text(value).map(scope.resolve) }

  private func date(_ value: Value?) -> Timestamp? { text(value).flatMap { FeedDate.parse($0) } }
}
