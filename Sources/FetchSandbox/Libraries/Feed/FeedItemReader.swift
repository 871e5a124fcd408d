import FetchValues

/// The reader of one `item` or `entry`.
struct FeedItemReader {
  let tree: FeedTree
  let scope: FeedScope
  private var item = FeedItem()

  /// The rank of the element from which the title was read; -1 if none was read. The next five
  /// properties are the ranks for other fields. An element with a higher rank replaces the value of
  /// its field.
  private var titleRank = -1
  private var summaryRank = -1
  private var contentRank = -1
  private var linkRank = -1
  private var publishedRank = -1
  private var updatedRank = -1
  private var isGuidLink = false
  private var guid: String?
  /// The authors of the feed from which the entry was taken.
  private var sourceAuthors: [FeedPerson] = []

  private init(tree: FeedTree, scope: FeedScope) {
    self.tree = tree
    self.scope = scope
    item.language = scope.language
  }

  static func read(_ node: Int, of tree: FeedTree, in scope: FeedScope) -> FeedItem {
    var reader = FeedItemReader(tree: tree, scope: scope)
    reader.item.id = tree.attribute(node, .about)
    for child in tree.tape.children(of: node) {
      guard let element = tree.element(child) else { continue }
      reader.readField(element, child, in: tree.scope(child, in: scope))
    }
    reader.finish()
    return reader.item
  }

  private mutating func finish() {
    item.id = guid ?? item.id
    // The source's authors take precedence over those of the feed (RFC 4287, section 4.2.1).
    if item.authors.isEmpty { item.authors = sourceAuthors }
    if item.url == nil, isGuidLink, let guid { item.url = scope.resolve(guid) }
    if item.url == nil, guid == nil, let about = item.id, about.utf8.starts(with: "http".utf8) {
      item.url = about
    }
    item.image = item.image ?? item.media.first { $0.medium == "image" }?.url
  }

  private mutating func readField(_ element: FeedElement, _ node: Int, in scope: FeedScope) {
    switch element {
    case .title: setTitle(node, 3, scope)
    case .dcTitle: setTitle(node, 2, scope)
    case .mediaTitle, .itunesTitle: setTitle(node, 1, scope)
    case .link, .moduleLink: readLink(node, in: scope)
    case .guid: readGuid(node)
    case .id: guid = guid ?? tree.text(node)
    case .summary: readSummary(node, 5, beside: 4, in: scope)
    case .description: readSummary(node, 4, beside: 5, in: scope)
    case .abstract: setSummary(node, 4, scope)
    case .dcDescription, .dctermsAbstract: setSummary(node, 3, scope)
    case .itunesSummary: setSummary(node, 2, scope)
    case .mediaDescription, .mediaText: setSummary(node, 1, scope)
    case .itunesSubtitle: item.subtitle = item.subtitle ?? tree.text(node)
    case .contentEncoded, .xhtmlBody, .body, .fullitem: setContent(node, 3, scope)
    case .xhtmlDiv: setContent(node, 2, scope)
    case .content: readAtomContent(node, in: scope)
    default: readDetail(element, node, in: scope)
    }
  }

  private mutating func readDetail(_ element: FeedElement, _ node: Int, in scope: FeedScope) {
    switch element {
    case .pubdate, .published: setPublished(node, 4)
    case .issued, .dctermsIssued: setPublished(node, 3)
    case .created, .dctermsCreated: setPublished(node, 2)
    case .dcDate, .dctermsDate: setUpdated(node, 2)
    case .updated, .modified, .dctermsModified, .lastbuilddate: setUpdated(node, 3)
    case .author, .dcCreator, .dcAuthor, .itunesAuthor: addAuthor(tree.person(node, in: scope))
    case .contributor, .dcContributor:
      if let person = tree.person(node, in: scope) { item.contributors.append(person) }
    case .category, .categories, .dcSubject, .itunesCategory, .itunesKeywords, .mediaCategory,
      .keywords,
      .mediaKeywords:
      item.tags.addTags(of: node, element, in: tree)
    case .enclosure:
      addEnclosure(tree.attribute(node, .url) ?? tree.attribute(node, .href), node, scope)
    case .comments: item.comments = item.comments ?? tree.text(node).map(scope.resolve)
    case .source: readSource(node, in: scope)
    case .language, .dcLanguage: item.language = tree.text(node) ?? item.language
    case .copyright, .rights, .dcRights:
      item.rights = item.rights ?? tree.content(node, in: scope)?.text
    case .ccLicense, .creativeCommonsLicense:
      item.license = item.license ?? tree.attribute(node, .resource) ?? tree.text(node)
    default: readModule(element, node, in: scope)
    }
  }

  private mutating func readModule(_ element: FeedElement, _ node: Int, in scope: FeedScope) {
    switch element {
    case .group: readGroup(node, in: scope)
    case .mediaContent: readMedia(node, in: scope)
    case .mediaThumbnail:
      item.thumbnail = item.thumbnail ?? tree.attribute(node, .url).map(scope.resolve)
    case .itunesImage, .image: readImage(node, in: scope)
    case .itunesDuration:
      item.duration = item.duration ?? tree.text(node).flatMap(FeedDuration.seconds)
    case .itunesEpisode: item.episode = item.episode ?? tree.number(node)
    case .itunesSeason: item.season = item.season ?? tree.number(node)
    case .itunesEpisodeType: item.episodeType = item.episodeType ?? tree.text(node)
    case .itunesExplicit: item.isExplicit = FeedDuration.isExplicit(tree.text(node))
    case .inReplyTo:
      item.inReplyTo = FeedReference(
        id: tree.attribute(node, .ref), url: tree.attribute(node, .href).map(scope.resolve))
    case .slashComments, .threadTotal:
      item.commentsCount = item.commentsCount ?? tree.number(node)
    case .commentsFeed:
      item.commentsFeed = item.commentsFeed ?? tree.text(node).map(scope.resolve)
    case .originalLink: item.originalURL = tree.text(node).map(scope.resolve)
    case .geoLatitude: item.latitude = tree.text(node).flatMap { Double($0) }
    case .geoLongitude: item.longitude = tree.text(node).flatMap { Double($0) }
    case .georssPoint: readPoint(tree.text(node))
    default: break
    }
  }

  // MARK: - Texts and dates

  private mutating func setTitle(_ node: Int, _ rank: Int, _ scope: FeedScope) {
    guard rank > titleRank, let title = tree.title(node, in: scope) else { return }
    (item.title, titleRank) = (title, rank)
  }

  private mutating func setSummary(_ node: Int, _ rank: Int, _ scope: FeedScope) {
    guard rank > summaryRank, let content = tree.content(node, in: scope) else { return }
    (item.summary, summaryRank) = (content.text, rank)
  }

  /// Reads a `summary` or `description`. If the entry's summary comes from the other element, this
  /// element is used as content, unless the entry has an element for its content. For a `summary`,
  /// an earlier `abstract` counts as the other element.
  private mutating func readSummary(
    _ node: Int, _ rank: Int, beside other: Int, in scope: FeedScope
  ) {
    if summaryRank == other { setContent(node, 1, scope) } else { setSummary(node, rank, scope) }
  }

  private mutating func setContent(_ node: Int, _ rank: Int, _ scope: FeedScope) {
    guard rank > contentRank, let content = tree.content(node, in: scope) else { return }
    (item.content, contentRank) = (content.text, rank)
  }

  /// Reads content. The address of external content (RFC 4287 section 4.1.3.2) becomes an enclosure
  /// if the element has a media type outside `text/`. The address also becomes the entry's address
  /// if the entry has none so far. Only text or markup inside the element becomes the content.
  private mutating func readAtomContent(_ node: Int, in scope: FeedScope) {
    if let source = tree.attribute(node, .src) ?? tree.attribute(node, .url) {
      let type = tree.attribute(node, .type)
      if let type, !type.hasPrefix("text/"), type.contains("/") {
        addEnclosure(source, node, scope)
      }
      if item.url == nil { item.url = scope.resolve(source) }
    }
    setContent(node, 3, scope)
  }

  private mutating func setPublished(_ node: Int, _ rank: Int) {
    guard rank > publishedRank, let date = tree.date(node) else { return }
    (item.published, publishedRank) = (date, rank)
  }

  private mutating func setUpdated(_ node: Int, _ rank: Int) {
    guard rank > updatedRank, let date = tree.date(node) else { return }
    (item.updated, updatedRank) = (date, rank)
  }

  // MARK: - Links, people, files

  private mutating func readGuid(_ node: Int) {
    guard guid == nil, let text = tree.text(node) else { return }
    guid = text
    switch tree.attribute(node, .isPermaLink)?.lowercased() {
    case "true": isGuidLink = true
    case "false": isGuidLink = false
    // Without the attribute `isPermaLink`, a guid is a link (RSS 2.0), but many such guids are not
    // addresses.
    default: isGuidLink = text.utf8.contains { $0 == 0x2E || $0 == 0x2F || $0 == 0x3A }
    }
  }

  private mutating func readLink(_ node: Int, in scope: FeedScope) {
    let found = tree.attribute(node, .href) ?? tree.text(node) ?? tree.attribute(node, .resource)
    guard let found else { return }
    let address = scope.resolve(found)
    switch tree.attribute(node, .rel)?.lowercased() ?? "alternate" {
    case "alternate", "http://www.iana.org/assignments/relation/alternate", "permalink":
      let rank = tree.linkRank(node)
      if rank > linkRank { (item.url, linkRank) = (address, rank) }
    case "enclosure", "http://www.iana.org/assignments/relation/enclosure":
      addEnclosure(found, node, scope)
    case "replies": item.commentsFeed = item.commentsFeed ?? address
    case "license": item.license = item.license ?? address
    default: break
    }
  }

  private mutating func addAuthor(_ person: FeedPerson?) {
    guard let person, !item.authors.contains(person) else { return }
    item.authors.append(person)
  }

  private mutating func addEnclosure(_ address: String?, _ node: Int, _ scope: FeedScope) {
    guard let address else { return }
    let url = scope.resolve(address)
    guard !item.enclosures.contains(where: { $0.url == url }) else { return }
    item.enclosures.append(
      FeedEnclosure(
        url: url, type: tree.attribute(node, .type), length: tree.integer(node, .length)))
  }

  private mutating func readSource(_ node: Int, in scope: FeedScope) {
    guard tree.hasElements(node) else {
      item.source = FeedSource(
        title: tree.text(node), url: tree.attribute(node, .url).map(scope.resolve))
      return
    }
    var source = FeedSource()
    for child in tree.tape.children(of: node) {
      switch tree.element(child) {
      case .title: source.title = tree.title(child, in: scope)
      case .author:
        let person = tree.person(child, in: tree.scope(child, in: scope))
        if let person, !sourceAuthors.contains(person) { sourceAuthors.append(person) }
      case .link:
        if (tree.attribute(child, .rel) ?? "alternate") == "alternate" {
          source.url = tree.attribute(child, .href).map(scope.resolve)
        }
      default: break
      }
    }
    item.source = source
  }

  // MARK: - Media

  private mutating func readImage(_ node: Int, in scope: FeedScope) {
    let address =
      tree.attribute(node, .href) ?? tree.firstChild(node, .url).flatMap(tree.text)
      ?? tree.attribute(node, .url) ?? (tree.hasElements(node) ? nil : tree.text(node))
    item.image = item.image ?? address.map(scope.resolve)
  }

  /// Reads the elements in a `media:group` or `media:content`. The document's depth bounds the
  /// recursion.
  private mutating func readGroup(_ node: Int, in scope: FeedScope) {
    for child in tree.tape.children(of: node) {
      guard let element = tree.element(child) else { continue }
      readField(element, child, in: tree.scope(child, in: scope))
    }
  }

  private mutating func readMedia(_ node: Int, in scope: FeedScope) {
    if let address = tree.attribute(node, .url) {
      let type = tree.attribute(node, .type)
      let medium = tree.attribute(node, .medium) ?? type.flatMap(FeedDuration.medium)
      item.media.append(
        FeedMedia(
          url: scope.resolve(address), type: type, medium: medium,
          width: tree.integer(node, .width), height: tree.integer(node, .height),
          length: tree.integer(node, .filesize), duration: tree.integer(node, .duration)))
    }
    readGroup(node, in: scope)
  }

  private mutating func readPoint(_ text: String?) {
    let numbers = (text ?? "").split { $0 == " " || $0 == "," || $0 == "\n" }.map { Double($0) }
    guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { return }
    (item.latitude, item.longitude) = (latitude, longitude)
  }
}
