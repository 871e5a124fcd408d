/// Finds the format of a document by its root element.
enum FeedFormat {
  /// Returns the format; nil if the root is not that of a feed.
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
    if uri.lowercased().contains("w3.org/2005/atom") { return "atom1.0" }
    return uri.contains("purl.org/atom")
      ? "atom0.3" : tree.attribute(0, .version).map { "atom\($0)" } ?? "atom"
  }
}
