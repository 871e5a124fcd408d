/// The elements that the feed reader uses, by vocabulary and local name.
enum FeedElement: String, CaseIterable {
  // Containers
  case rss, feed, channel, item, entry, items
  case rdf = "rdf:rdf"
  case source, image, group = "media:group"
  case mediaContent = "media:content"

  // Core
  case title, link, description, subtitle, tagline, summary, content, body, fullitem, abstract
  case guid, id, pubdate, published, issued, created, updated, modified, lastbuilddate
  case author, contributor, name, email, uri, url, homepage
  case managingeditor, webmaster, category, categories, keywords, enclosure, comments, language,
    copyright,
    rights
  case generator, ttl, skiphours, skipdays, hour, day, icon, logo, cloud, textinput, info
  case expirationdate

  // Modules
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

  /// Finds the element of a name. The namespace of the feed's root (`home`) counts as the core
  /// vocabulary.
  init(_ name: XMLTape.Name, home: String) {
    let isHome = !home.isEmpty && name.uri == home && !ASCII.contains("22-rdf-syntax-ns", in: home)
    let namespace = isHome ? .core : FeedNamespace(uri: name.uri, prefix: name.prefix)
    let local = name.local.lowercased()
    // If libxml2 could not split an undeclared prefix, it is part of the local name.
    let key = namespace == .core ? local : "\(namespace.rawValue.lowercased()):\(local)"
    self = Self.byKey[key] ?? .unknown
  }

  private static let byKey: [String: FeedElement] = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
}
