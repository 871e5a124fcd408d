package import FetchValues

/// The data of a feed itself, the second result of `feed.parse`.
///
/// | field | what |
/// |---|---|
/// | `format` | `rss0.90` … `rss2.0`, `rss1.0`, `atom0.3`, `atom1.0`, `json1.1`; `rss` without a version |
/// | `title`, `subtitle` | strings |
/// | `url` | absolute address of the site |
/// | `feed_url`, `next_url`, `hub` | addresses of the feed, its next page and its WebSub hub |
/// | `id`, `language`, `rights`, `license`, `generator` | as the feed has them |
/// | `updated`, `published` | RFC 3339 in UTC |
/// | `author`, `authors` | as in items |
/// | `image` | address of the feed's picture, otherwise of its icon |
/// | `tags` | list of strings |
/// | `ttl` | minutes |
/// | `skip_hours`, `skip_days` | lists of hours (0-23, UTC) and of English day names |
/// | `update_period`, `update_frequency` | `hourly`, `daily` …, and the number of updates in that period |
/// | `update_base` | RFC 3339 in UTC, the time from which the periods are counted |
/// | `repaired` | true if the document was not well-formed |
package struct Feed: Equatable, Sendable {
  package var format = "rss"
  package var title: String?
  package var subtitle: String?
  package var url: String?
  package var feedURL: String?
  package var nextURL: String?
  package var hub: String?
  package var id: String?
  package var language: String?
  package var rights: String?
  package var license: String?
  package var generator: String?
  package var updated: Timestamp?
  package var published: Timestamp?
  package var authors: [FeedPerson] = []
  package var image: String?
  package var tags: [String] = []
  package var ttl: Int64?
  package var skipHours: [Int64] = []
  package var skipDays: [String] = []
  package var updatePeriod: String?
  package var updateFrequency: Int64?
  package var updateBase: Timestamp?
  package var isRepaired = false
  /// The evidence in the feed's text for the encoding of the feed's source.
  var encoding = EncodingSniffer.Verdict.unproved
  package var items: [FeedItem] = []

  package init() {}
}
