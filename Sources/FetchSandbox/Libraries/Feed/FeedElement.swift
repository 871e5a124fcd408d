/// The elements that the feed reader uses, by vocabulary and local name.
enum FeedElement: String, CaseIterable {
  case rss, feed, channel, item, entry, items
  case rdf = "rdf:rdf"
  case source, image, group = "media:group"
  case mediaContent = "media:content"

  case title, link, description, subtitle, tagline, summary, content, body, fullitem, abstract
  case guid, id, pubdate, published, issued, created, updated, modified, lastbuilddate
  case author, contributor, name, email, uri, url, homepage
  case managingeditor, webmaster, category, categories, keywords, enclosure, comments, language,
    copyright,
    rights
  case generator, ttl, skiphours, skipdays, hour, day, icon, logo, cloud, textinput, info
  case expirationdate

  case dcTitle = "dc:title"
  case dcCreator = "dc:creator"
  case dcAuthor = "dc:author"
  case dcContributor = "dc:contributor"
  case dcPublisher = "dc:publisher"
  case dcDate = "dc:date"
  case dcDescription = "dc:description"
  case dcSubject = "dc:subject"
  case dcLanguage = "dc:language"
  case dcRights = "dc:rights"
  case dcIdentifier = "dc:identifier"
  case dctermsCreated = "dcterms:created"
  case dctermsIssued = "dcterms:issued"
  case dctermsModified = "dcterms:modified"
  case dctermsDate = "dcterms:date"
  case dctermsAbstract = "dcterms:abstract"
  case contentEncoded = "content:encoded"
  case contentEncoding = "content:encoding"
  case xhtmlBody = "xhtml:body"
  case xhtmlDiv = "xhtml:div"
  case mediaTitle = "media:title"
  case mediaDescription = "media:description"
  case mediaText = "media:text"
  case mediaThumbnail = "media:thumbnail"
  case mediaCategory = "media:category"
  case mediaKeywords = "media:keywords"
  case mediaCredit = "media:credit"
  case mediaPlayer = "media:player"
  case itunesTitle = "itunes:title"
  case itunesAuthor = "itunes:author"
  case itunesOwner = "itunes:owner"
  case itunesName = "itunes:name"
  case itunesEmail = "itunes:email"
  case itunesSubtitle = "itunes:subtitle"
  case itunesSummary = "itunes:summary"
  case itunesImage = "itunes:image"
  case itunesLink = "itunes:link"
  case itunesCategory = "itunes:category"
  case itunesKeywords = "itunes:keywords"
  case itunesDuration = "itunes:duration"
  case itunesEpisode = "itunes:episode"
  case itunesSeason = "itunes:season"
  case itunesEpisodeType = "itunes:episodetype"
  case itunesExplicit = "itunes:explicit"
  case itunesBlock = "itunes:block"
  case inReplyTo = "thr:in-reply-to"
  case threadTotal = "thr:total"
  case slashComments = "slash:comments"
  case commentsFeed = "wfw:commentrss"
  case originalLink = "feedburner:origlink"
  case updatePeriod = "sy:updateperiod"
  case updateFrequency = "sy:updatefrequency"
  case updateBase = "sy:updatebase"
  case georssPoint = "georss:point"
  case geoLatitude = "geo:lat"
  case geoLongitude = "geo:long"
  case moduleLink = "l:link"
  case ccLicense = "cc:license"
  case creativeCommonsLicense = "creativecommons:license"
  case unknown = "?"

  /// Finds the known element for a name; `.unknown` if there is none. `home` is the namespace of
  /// the feed's own elements. It counts as the core vocabulary, unless it is the namespace of RDF.
  init(_ name: XMLTape.Name, home: String) {
    let isHome = !home.isEmpty && name.uri == home && !ASCII.contains("22-rdf-syntax-ns", in: home)
    let namespace = isHome ? .core : FeedNamespace(uri: name.uri, prefix: name.prefix)
    let local = name.local.lowercased()
    // If libxml2 could not split off an undeclared prefix, the prefix is part of the local name.
    let key = namespace == .core ? local : "\(namespace.rawValue.lowercased()):\(local)"
    self = Self.byKey[key] ?? .unknown
  }

  private static let byKey: [String: FeedElement] = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
}

/// The attributes that the feed reader uses. The reader distinguishes only `xml:` and `rdf:`
/// attributes by namespace.
enum FeedAttribute: String, CaseIterable {
  case href, rel, type, url, src, length, domain, term, scheme, label, mode, version, text, name
  case medium, width, height, value, ref, lang, role, title, duration, filesize
  case isPermaLink = "ispermalink"
  case isDefault = "isdefault"
  case base = "xml:base"
  case xmlLang = "xml:lang"
  case about = "rdf:about"
  case resource = "rdf:resource"
  case unknown = "?"

  init(_ name: XMLTape.Name) {
    let local = name.local.lowercased()
    switch FeedNamespace(uri: name.uri, prefix: name.prefix) {
    case .xml: self = Self.byKey["xml:" + local] ?? .unknown
    case .rdf: self = Self.byKey["rdf:" + local] ?? Self.byKey[local] ?? .unknown
    default: self = Self.byKey[local] ?? .unknown
    }
  }

  private static let byKey: [String: FeedAttribute] = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
}

/// The vocabularies that feeds mix. All versions of RSS and Atom, and elements without a namespace
/// and prefix, are one vocabulary, `core`. Feeds of one format use elements of another format
/// without declaring the elements.
enum FeedNamespace: String {
  case core = ""
  case dublinCore = "dc"
  case dublinTerms = "dcterms"
  case content
  case media
  case itunes
  case thread = "thr"
  case slash
  case syndication = "sy"
  case commentAPI = "wfw"
  case feedburner
  case podcast
  case georss
  case geo
  case gml
  case rdf
  case xhtml
  case xml
  case link = "l"
  case creativeCommons
  case cc
  case googlePlay = "googleplay"
  case other = "?"

  /// Finds the vocabulary by the address of the namespace. For an unknown or empty address, uses
  /// the usual meaning of the prefix.
  init(uri: String, prefix: String) {
    if uri.isEmpty {
      self = prefix.isEmpty ? .core : Self.byPrefix[prefix.lowercased()] ?? .other
      return
    }
    var plain = Substring(uri.lowercased()).utf8
    while let last = plain.last, last <= 0x20 || last == 0x2F || last == 0x23 { plain.removeLast() }
    while let first = plain.first, first <= 0x20 { plain.removeFirst() }
    let isSecure = plain.starts(with: "https:".utf8)
    let address = isSecure ? "http:" + Substring(plain.dropFirst(6)) : String(Substring(plain))
    self = Self.byAddress[address] ?? Self.byPrefix[prefix.lowercased()] ?? .other
  }

  private static let byPrefix: [String: FeedNamespace] = [
    "rss": .core, "atom": .core, "atom10": .core, "atom03": .core, "a10": .core,
    "dc": .dublinCore, "dcterms": .dublinTerms, "content": .content, "media": .media,
    "itunes": .itunes, "thr": .thread, "slash": .slash, "sy": .syndication, "wfw": .commentAPI,
    "feedburner": .feedburner, "podcast": .podcast, "georss": .georss, "geo": .geo, "gml": .gml,
    "rdf": .rdf, "xhtml": .xhtml, "xml": .xml, "googleplay": .googlePlay,
  ]

  private static let byAddress: [String: FeedNamespace] = [
    "http://www.w3.org/2005/atom": .core, "http://purl.org/atom/ns": .core,
    "http://purl.org/rss/1.0": .core, "http://my.netscape.com/rdf/simple/0.9": .core,
    "http://my.netscape.com/publish/formats/rss-0.91.dtd": .core,
    "http://backend.userland.com/rss": .core, "http://backend.userland.com/rss2": .core,
    "http://backend.userland.com/rss2.1": .core, "http://backend.userland.com/rss091": .core,
    "http://blogs.law.harvard.edu/tech/rss": .core, "http://cyber.law.harvard.edu/rss": .core,
    "http://purl.org/rss/1.0/modules/rss091": .core,
    "http://channel.netscape.com/rdf/simple/0.9":
      .core,
    "http://example.com/newformat": .core, "http://example.com/necho": .core,
    "http://purl.org/echo": .core, "uri/of/echo/namespace": .core, "http://purl.org/pie": .core,
    "http://purl.org/echo/ns": .core, "http://purl.org/net/rss1.1": .core,
    "http://purl.org/dc/elements/1.1": .dublinCore, "http://purl.org/dc/elements/1.0": .dublinCore,
    "http://purl.org/dc/terms": .dublinTerms,
    "http://purl.org/rss/1.0/modules/content": .content,
    "http://search.yahoo.com/mrss": .media, "http://video.search.yahoo.com/mrss": .media,
    "http://www.rssboard.org/media-rss": .media, "http://www.rssboard.org/media-rss.rss": .media,
    "http://www.itunes.com/dtds/podcast-1.0.dtd": .itunes,
    "http://example.com/dtds/podcast-1.0.dtd":
      .itunes,
    "http://purl.org/syndication/thread/1.0": .thread,
    "http://purl.org/rss/1.0/modules/slash": .slash,
    "http://purl.org/rss/1.0/modules/syndication": .syndication,
    "http://wellformedweb.org/commentapi": .commentAPI,
    "http://rssnamespace.org/feedburner/ext/1.0": .feedburner,
    "http://podcastindex.org/namespace/1.0": .podcast,
    "http://www.georss.org/georss": .georss, "http://www.w3.org/2003/01/geo/wgs84_pos": .geo,
    "http://www.opengis.net/gml": .gml,
    "http://www.w3.org/1999/02/22-rdf-syntax-ns": .rdf,
    "http://www.w3.org/1999/xhtml": .xhtml, "http://www.w3.org/xml/1998/namespace": .xml,
    "http://purl.org/rss/1.0/modules/link": .link,
    "http://backend.userland.com/creativecommonsrssmodule": .creativeCommons,
    "http://web.resource.org/cc": .cc, "http://creativecommons.org/ns": .cc,
    "http://www.google.com/schemas/play-podcasts/1.0": .googlePlay,
  ]
}
