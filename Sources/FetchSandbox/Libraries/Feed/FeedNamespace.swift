/// The vocabularies that feeds mix. RSS and Atom of all versions and elements without a namespace
/// are one vocabulary, `core`, because feeds use each other's elements without declaring them.
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

  /// Finds the vocabulary by the trimmed address of the namespace. For an unknown address, uses the
  /// usual meaning of the prefix.
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
