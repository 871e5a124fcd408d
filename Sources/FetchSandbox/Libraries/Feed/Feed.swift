package import FetchModel
package import FetchValues

/// The data of a feed itself, the second result of `feed.parse`.
///
/// | field | what |
/// |---|---|
/// | `format` | `rss0.90` … `rss2.0`, `rss1.0`, `atom0.3`, `atom1.0`, `json1.1`; `rss` without a version; nil without a body |
/// | `title`, `subtitle` | strings |
/// | `url` | address of the site; absolute if it can be resolved |
/// | `feed_url`, `next_url`, `hub` | addresses of the feed, its next page and its WebSub hub |
/// | `id`, `rights`, `license`, `generator` | as the feed has them; in JSON Feed, `id` is `feed_url` |
/// | `language` | as the feed has it, otherwise from the header `Content-Language` |
/// | `updated`, `published` | RFC 3339 in UTC |
/// | `author`, `authors` | as in items |
/// | `image` | address of the feed's picture, otherwise of its icon |
/// | `tags` | list of strings |
/// | `ttl` | minutes |
/// | `skip_hours`, `skip_days` | list of hours (0-23, UTC), list of day names as the feed has them |
/// | `update_period`, `update_frequency` | `hourly`, `daily` …, and the number of updates in that period |
/// | `update_base` | RFC 3339 in UTC, the time from which the periods are counted |
/// | `repaired` | true if the document had to be repaired |
package struct Feed: Equatable, Sendable {
  package var format: String?
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
  /// The evidence for the encoding of the feed's text.
  var encoding = EncodingSniffer.Verdict.unproved
  package var items: [FeedItem] = []

  package init() {}
}

/// An entry of a feed in the form that `feed.parse` returns to Lua.
///
/// | field | what |
/// |---|---|
/// | `id` | the entry's own (`guid`, Atom `id`, `rdf:about`), otherwise its `url`, otherwise a hash; never nil |
/// | `title` | plain text |
/// | `url` | address of the entry's page; absolute if it can be resolved |
/// | `published`, `updated` | RFC 3339 in UTC, as in `2026-11-20T10:00:00Z` |
/// | `author` | name of the first author, otherwise email address or URL |
/// | `authors`, `contributors` | lists of `{name=, email=, url=}`; if the entry has no authors, the authors of its source, otherwise the authors of the feed |
/// | `summary`, `content` | HTML or text; relative links in HTML of XML feeds are resolved; a lone description is the summary |
/// | `subtitle` | one-line description of a podcast episode |
/// | `tags` | list of strings |
/// | `enclosures` | list of `{url=, type=, length=}` |
/// | `comments`, `comments_feed`, `comments_count` | address of the discussion, address of the discussion's feed, number of comments |
/// | `image`, `thumbnail` | addresses |
/// | `media` | list of `{url=, type=, medium=, width=, height=, length=, duration=}` (Media RSS) |
/// | `source` | `{title=, url=}` of the feed that the entry was taken from |
/// | `language` | as the feed has it for the entry, otherwise from the header `Content-Language` |
/// | `rights`, `license` | as the feed has them |
/// | `duration`, `episode`, `season`, `episode_type`, `explicit` | of podcasts; the duration in seconds |
/// | `in_reply_to` | `{id=, url=}` (RFC 4685) |
/// | `latitude`, `longitude` | degrees |
/// | `original_url` | address of the page if `url` is a redirect; in JSON Feed `external_url` |
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

/// A file that belongs to an entry.
package struct FeedEnclosure: Equatable, Sendable {
  package var url: String
  package var type: String?
  package var length: Int64?

  package init(url: String, type: String? = nil, length: Int64? = nil) {
    (self.url, self.type, self.length) = (url, type, length)
  }
}

/// A picture, sound or film in Media RSS.
package struct FeedMedia: Equatable, Sendable {
  package var url: String
  package var type: String?
  package var medium: String?
  package var width: Int64?
  package var height: Int64?
  package var length: Int64?
  package var duration: Int64?
}

/// The feed from which an entry was taken.
package struct FeedSource: Equatable, Sendable {
  package var title: String?
  package var url: String?
}

/// The entry to which another entry replies.
package struct FeedReference: Equatable, Sendable {
  package var id: String?
  package var url: String?
}

/// A person that a feed names.
package struct FeedPerson: Equatable, Sendable {
  package var name: String?
  package var email: String?
  package var url: String?

  var isEmpty: Bool { name == nil && email == nil && url == nil }

  package init(name: String? = nil, email: String? = nil, url: String? = nil) {
    self.name = name
    self.email = email
    self.url = url
  }

  /// Reads `a@example.org (Name)`, `Name <a@example.org>`, a lone address or a lone name.
  init(line: String) {
    let text = line.utf8.drop { ASCII.isBlank($0) }
    guard let at = text.firstIndex(of: UInt8(ascii: "@")) else {
      name = Self.plain(text)
      return
    }
    func isAddress(_ byte: UInt8) -> Bool {
      byte > 0x20 && !"()<>,;:\"".utf8.contains(byte)
    }
    var from = at
    while from > text.startIndex, isAddress(text[text.index(before: from)]) {
      from = text.index(before: from)
    }
    let to = text[at...].firstIndex { !isAddress($0) } ?? text.endIndex
    let address = text[from..<to]
    guard from < at, address.count > text.distance(from: from, to: at) + 1 else {
      name = Self.plain(text)
      return
    }
    email = String(decoding: address, as: UTF8.self)
    var rest = Array(text[..<from])
    if rest.count >= 7, String(decoding: rest.suffix(7), as: UTF8.self).lowercased() == "mailto:" {
      rest.removeLast(7)
    }
    name = Self.plain(rest + [0x20] + Array(text[to...]))
  }

  /// Returns the text without surrounding brackets, quotes and blanks; nil if no text is left.
  private static func plain(_ text: some BidirectionalCollection<UInt8>) -> String? {
    func isFrame(_ byte: UInt8) -> Bool { ASCII.isBlank(byte) || "()<>\"".utf8.contains(byte) }
    guard let first = text.firstIndex(where: { !isFrame($0) }),
      let last = text.lastIndex(where: { !isFrame($0) })
    else { return nil }
    // A name that ends in brackets, such as `Jan (Berlin)`, keeps these brackets.
    var end = text.index(after: last)
    let hasOpen = text[first...last].contains(UInt8(ascii: "("))
    if hasOpen, end < text.endIndex, text[end] == UInt8(ascii: ")") { end = text.index(after: end) }
    return String(decoding: text[first..<end], as: UTF8.self)
  }
}

/// The detector of a feed's format.
enum FeedFormat {
  /// Returns the format, such as `atom1.0`; nil if the document's root is not the root of a feed.
  static func format(of tree: FeedTree) -> String? {
    let name = tree.tape.names[Int(tree.tape.nodes[0].name)]
    switch name.local.lowercased() {
    case "rss": return rss(tree)
    case "rdf":
      return FeedNamespace(uri: name.uri, prefix: name.prefix) == .rdf ? rdf(tree) : nil
    case "feed": return atom(tree, uri: name.uri)
    case "channel": return rss(tree)
    case "entry": return name.uri.isEmpty ? nil : atom(tree, uri: name.uri)
    default: return nil
    }
  }

  private static func rss(_ tree: FeedTree) -> String {
    tree.attribute(0, .version).map { "rss\($0)" } ?? "rss"
  }

  private static func rdf(_ tree: FeedTree) -> String {
    let uris = tree.tape.names.map(\.uri)
    return uris.contains { $0.contains("my.netscape.com/rdf") } ? "rss0.90" : "rss1.0"
  }

  private static func atom(_ tree: FeedTree, uri: String) -> String {
    // The usual address needs no search.
    if uri == "http://www.w3.org/2005/Atom" || uri.lowercased().contains("w3.org/2005/atom") {
      return "atom1.0"
    }
    return uri.contains("purl.org/atom")
      ? "atom0.3" : tree.attribute(0, .version).map { "atom\($0)" } ?? "atom"
  }
}

extension Feed {
  /// The valid hints of the feed about when the feed should be fetched next.
  package var hints: FeedHints {
    var hints = FeedHints()
    if let ttl, ttl > 0 { hints.ttl = .seconds(min(ttl, Self.minutesMax) * 60) }
    if let period = secondsBetweenUpdates {
      hints.setUpdates(every: .seconds(period), from: updateBase)
    }
    for hour in skipHours where (0..<24).contains(hour) { hints.skipHours |= 1 << UInt32(hour) }
    for day in skipDays {
      if let number = Weekdays.number(named: day) { hints.skipDays |= 1 << UInt8(number) }
    }
    return hints
  }

  private static let minutesMax: Int64 = 366 * 1440

  /// The number of seconds between updates; nil if `updatePeriod` and `updateFrequency` are both
  /// nil, if the period is unknown, or if the frequency is below 1. If only one of them is nil, the
  /// period is a day or the frequency is 1 (RSS syndication module).
  private var secondsBetweenUpdates: Int64? {
    let frequency = updateFrequency ?? 1
    guard updatePeriod != nil || updateFrequency != nil, frequency > 0,
      let period = Self.seconds(in: updatePeriod ?? "daily")
    else { return nil }
    return max(1, period / frequency)
  }

  private static func seconds(in period: String) -> Int64? {
    switch period.lowercased() {
    case "hourly": 3600
    case "daily": 86_400
    case "weekly": 7 * 86_400
    case "monthly": 30 * 86_400
    case "yearly": 365 * 86_400
    default: nil
    }
  }
}

extension FeedItem {
  /// Sets the id of an entry without an id to the entry's address, or to `contentHash` if the entry
  /// has no address.
  mutating func completeID() {
    if id == nil { id = url ?? contentHash }
  }

  /// The 128-bit FNV-1a hash of the entry's title, its text and the address of its first enclosure.
  /// If an entry has neither title nor text, the hash also covers the entry's publication date. The
  /// algorithm must not change between releases.
  private var contentHash: String {
    var hash: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
    func add(_ text: String?) {
      for byte in (text ?? "").utf8 { mix(byte) }
      mix(0)
    }
    func mix(_ byte: UInt8) {
      hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
    }
    add(title)
    add(content ?? summary)
    add(enclosures.first?.url)
    if title == nil, summary == nil, content == nil { add(published?.description) }
    let digits = String(hash, radix: 16)
    return "hash:" + String(repeating: "0", count: max(0, 32 - digits.count)) + digits
  }
}
