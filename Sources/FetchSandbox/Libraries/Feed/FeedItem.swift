package import FetchValues

/// An entry of a feed in the form that `feed.parse` returns to Lua.
///
/// | field | what |
/// |---|---|
/// | `id` | the entry's own (`guid`, Atom `id`, `rdf:about`), otherwise its `url`, otherwise a hash; never nil |
/// | `title` | plain text |
/// | `url` | absolute address of the entry's page |
/// | `published`, `updated` | RFC 3339 in UTC, as in `2026-11-20T10:00:00Z` |
/// | `author` | name, or address, of the first author |
/// | `authors`, `contributors` | lists of `{name=, email=, url=}`; if the entry has no authors, the authors of its source, otherwise the authors of the feed |
/// | `summary`, `content` | HTML or text as the feed has it; a lone description is the summary |
/// | `subtitle` | a podcast's one-line description |
/// | `tags` | list of strings |
/// | `enclosures` | list of `{url=, type=, length=}` |
/// | `comments`, `comments_feed`, `comments_count` | address of the discussion, address of the discussion's feed, number of comments |
/// | `image`, `thumbnail` | addresses |
/// | `media` | list of `{url=, type=, medium=, width=, height=, length=, duration=}` (Media RSS) |
/// | `source` | `{title=, url=}` of the feed that the entry was taken from |
/// | `language`, `rights`, `license` | as the feed has them |
/// | `duration`, `episode`, `season`, `episode_type`, `explicit` | of podcasts; the duration in seconds |
/// | `in_reply_to` | `{id=, url=}` (RFC 4685) |
/// | `latitude`, `longitude` | degrees |
/// | `original_url` | the page behind a feed service's link |
///
/// Fields without a value are absent.
package struct FeedItem: Equatable, Sendable {
  package var id: String?
  package var title: String?
  package var url: String?
  package var published: Timestamp?
  package var updated: Timestamp?
  package var authors: [FeedPerson] = []
  package var contributors: [FeedPerson] = []
  package var summary: String?
  package var content: String?
  package var subtitle: String?
  package var tags: [String] = []
  package var enclosures: [FeedEnclosure] = []
  package var comments: String?
  package var commentsFeed: String?
  package var commentsCount: Int64?
  package var image: String?
  package var thumbnail: String?
  package var media: [FeedMedia] = []
  package var source: FeedSource?
  package var language: String?
  package var rights: String?
  package var license: String?
  package var duration: Int64?
  package var episode: Int64?
  package var season: Int64?
  package var episodeType: String?
  package var isExplicit: Bool?
  package var inReplyTo: FeedReference?
  package var latitude: Double?
  package var longitude: Double?
  package var originalURL: String?

  package init() {}
}
