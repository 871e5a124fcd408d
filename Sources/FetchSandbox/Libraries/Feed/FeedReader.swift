import FetchValues

/// The reader of a feed's tree. One reader serves all XML formats, because feeds mix elements of
/// several formats.
struct FeedReader {
  let tree: FeedTree
  private(set) var feed = Feed()

  /// Returns the feed; nil if the document is not a feed.
  static func read(_ tape: XMLTape, scope: FeedScope) -> Feed? {
    guard !tape.nodes.isEmpty, !tape.nodes[0].isText else { return nil }
    var reader = FeedReader(tree: FeedTree(tape))
    guard let format = FeedFormat.format(of: reader.tree) else { return nil }
    reader.feed.format = format
    if reader.tree.element(0) == .entry {
      reader.readItem(0, in: scope)
    } else {
      reader.readContainer(0, in: scope)
    }
    reader.finish()
    return reader.feed
  }

  private init(tree: FeedTree) { self.tree = tree }

  /// Reads an element that contains items: `rss`, `rdf:RDF`, `channel`, `feed`, or RSS 1.1's
  /// `items`. All but `rdf:RDF` can be nested. The document's depth bounds the recursion.
  private mutating func readContainer(_ node: Int, in outer: FeedScope) {
    let scope = tree.scope(node, in: outer)
    if feed.language == nil { feed.language = scope.language }
    if tree.element(node) == .channel, feed.id == nil { feed.id = tree.attribute(node, .about) }
    for child in tree.tape.children(of: node) {
      guard let element = tree.element(child) else { continue }
      switch element {
      case .rss, .channel, .items, .feed: readContainer(child, in: scope)
      case .item, .entry:
        if feed.items.count < Self.itemCountMax { readItem(child, in: scope) }
      default: readField(element, child, in: tree.scope(child, in: scope))
      }
    }
  }

  /// The maximum number of items, which is the default of `RunLimits.items`. Further items are
  /// ignored.
  static let itemCountMax = 100_000

  private mutating func readItem(_ node: Int, in outer: FeedScope) {
    feed.items.append(FeedItemReader.read(node, of: tree, in: tree.scope(node, in: outer)))
  }

  private mutating func readField(_ element: FeedElement, _ node: Int, in scope: FeedScope) {
    switch element {
    case .title: if titleRank < 3 { setTitle(node, 3, scope) }
    case .dcTitle: if titleRank < 2 { setTitle(node, 2, scope) }
    case .itunesTitle, .mediaTitle: if titleRank < 1 { setTitle(node, 1, scope) }
    case .link, .moduleLink: readLink(node, in: scope)
    case .itunesLink:
      if tree.attribute(node, .rel) == "image" { setImage(link(node, scope), 2, scope) }
    case .description, .subtitle, .tagline: setSubtitle(node, 3, scope)
    case .dcDescription: setSubtitle(node, 2, scope)
    case .itunesSubtitle: setSubtitle(node, 1, scope)
    case .itunesSummary, .dctermsAbstract: setSubtitle(node, 0, scope)
    case .id, .guid: feed.id = feed.id ?? tree.text(node)
    case .dcIdentifier: feed.id = feed.id ?? tree.text(node)
    case .image: readImage(node, in: scope)
    case .itunesImage, .logo, .icon, .mediaThumbnail: readPicture(element, node, in: scope)
    default: readDetail(element, node, in: scope)
    }
  }

  private mutating func readDetail(_ element: FeedElement, _ node: Int, in scope: FeedScope) {
    switch element {
    case .pubdate, .published, .issued, .dctermsIssued, .created, .dctermsCreated:
      feed.published = feed.published ?? tree.date(node)
    case .updated, .modified, .lastbuilddate, .dcDate, .dctermsModified, .dctermsDate:
      feed.updated = feed.updated ?? tree.date(node)
    case .author, .managingeditor, .dcCreator, .dcAuthor, .itunesAuthor, .itunesOwner:
      addAuthor(element, tree.person(node, in: scope))
    case .category, .categories, .dcSubject, .itunesCategory, .itunesKeywords, .mediaCategory,
      .keywords,
      .mediaKeywords:
      feed.tags.addTags(of: node, element, in: tree)
    case .language, .dcLanguage: setLanguage(tree.text(node))
    case .copyright, .rights, .dcRights:
      feed.rights = feed.rights ?? tree.content(node, in: scope)?.text
    case .ccLicense, .creativeCommonsLicense:
      feed.license = feed.license ?? tree.attribute(node, .resource) ?? tree.text(node)
    case .generator: feed.generator = feed.generator ?? tree.text(node)
    case .ttl: feed.ttl = feed.ttl ?? tree.number(node)
    case .skiphours: feed.skipHours = Array(Set(hours(node))).sorted()
    case .skipdays: feed.skipDays += days(node)
    case .updatePeriod: feed.updatePeriod = feed.updatePeriod ?? tree.text(node)
    case .updateFrequency: feed.updateFrequency = feed.updateFrequency ?? tree.number(node)
    case .updateBase: feed.updateBase = feed.updateBase ?? tree.date(node)
    default: break
    }
  }

  // MARK: - Texts

  private var titleRank = -1
  private var subtitleRank = -1
  private var imageRank = -1
  private var linkRank = -1
  private var hasOwnLanguage = false

  private mutating func setTitle(_ node: Int, _ rank: Int, _ scope: FeedScope) {
    guard let title = tree.title(node, in: scope) else { return }
    (feed.title, titleRank) = (title, rank)
  }

  private mutating func setSubtitle(_ node: Int, _ rank: Int, _ scope: FeedScope) {
    guard rank > subtitleRank, let content = tree.content(node, in: scope) else { return }
    (feed.subtitle, subtitleRank) = (content.text, rank)
  }

  /// Sets the language from the first `language` element, which takes precedence over `xml:lang`.
  private mutating func setLanguage(_ language: String?) {
    guard !hasOwnLanguage, let language else { return }
    feed.language = language
    hasOwnLanguage = true
  }

  private mutating func addAuthor(_ element: FeedElement, _ person: FeedPerson?) {
    guard let person, !feed.authors.contains(person) else { return }
    feed.authors.append(person)
  }

  private func hours(_ node: Int) -> [Int64] {
    tree.tape.children(of: node).filter { tree.element($0) == .hour }
      .compactMap { tree.number($0) }.filter { (0...24).contains($0) }.map { $0 % 24 }
  }

  private func days(_ node: Int) -> [String] {
    tree.tape.children(of: node).filter { tree.element($0) == .day }.compactMap { tree.text($0) }
  }

  // MARK: - Links and pictures

  private func link(_ node: Int, _ scope: FeedScope) -> String? {
    (tree.attribute(node, .href) ?? tree.text(node) ?? tree.attribute(node, .resource))
      .map(scope.resolve)
  }

  private mutating func readLink(_ node: Int, in scope: FeedScope) {
    guard let address = link(node, scope) else { return }
    switch tree.attribute(node, .rel)?.lowercased() ?? "alternate" {
    case "alternate", "http://www.iana.org/assignments/relation/alternate":
      let rank = tree.linkRank(node)
      if rank > linkRank { (feed.url, linkRank) = (address, rank) }
    case "self", "http://www.iana.org/assignments/relation/self":
      feed.feedURL = feed.feedURL ?? address
    case "next": feed.nextURL = feed.nextURL ?? address
    case "hub": feed.hub = feed.hub ?? address
    case "license": feed.license = feed.license ?? address
    default: break
    }
  }

  /// Reads an image. In RSS, the address is in a child element.
  private mutating func readImage(_ node: Int, in scope: FeedScope) {
    guard let place = tree.firstChild(node, .url) else {
      return setImage(tree.attribute(node, .href) ?? tree.attribute(node, .resource), 2, scope)
    }
    setImage(tree.text(place), 3, scope)
  }

  private mutating func readPicture(_ element: FeedElement, _ node: Int, in scope: FeedScope) {
    let address = tree.attribute(node, .href) ?? tree.attribute(node, .url) ?? tree.text(node)
    switch element {
    case .itunesImage: setImage(address, 2, scope)
    case .logo: setImage(address, 4, scope)
    default: setImage(address, 1, scope)
    }
  }

  private mutating func setImage(_ address: String?, _ rank: Int, _ scope: FeedScope) {
    guard let address, rank > imageRank else { return }
    (feed.image, imageRank) = (scope.resolve(address), rank)
  }

  /// Gives the feed's authors to items without authors, and an id to items without an id.
  private mutating func finish() {
    for index in feed.items.indices {
      if feed.items[index].authors.isEmpty { feed.items[index].authors = feed.authors }
      feed.items[index].completeID()
    }
  }
}

/// The effective `xml:base` and `xml:lang` at a place in a feed. The reader passes it on for each
/// element, and a class is cheap to pass on.
final class FeedScope: Sendable {
  private let resolver: URLResolver
  let language: String?

  /// The scope without a base address and language.
  static let none = FeedScope(base: nil, language: nil)

  init(base: String?, language: String?) {
    resolver = URLResolver(base: base)
    self.language = language
  }

  private init(_ resolver: URLResolver, _ language: String?) {
    self.resolver = resolver
    self.language = language
  }

  var hasBase: Bool { resolver.hasBase }

  /// Returns the absolute address, or the unchanged text if it cannot be resolved.
  func resolve(_ reference: String) -> String { resolver.resolve(reference) ?? reference }

  /// Returns the scope inside an element with the given base address and language; nil keeps that
  /// of this scope. A base address that cannot be resolved has no effect.
  func inside(base: String?, language: String?) -> FeedScope {
    let address = base.flatMap { resolver.resolve($0) }
    if address == nil && language == nil { return self }
    return FeedScope(
      address.map { URLResolver(base: $0) } ?? resolver, language ?? self.language)
  }
}
