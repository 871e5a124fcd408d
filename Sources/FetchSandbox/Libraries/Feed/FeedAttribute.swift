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
