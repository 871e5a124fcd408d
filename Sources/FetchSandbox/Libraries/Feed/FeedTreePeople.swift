extension FeedTree {
  /// Reads a person from Atom's or iTunes' elements, or from one line of text.
  func person(_ node: Int, in scope: FeedScope) -> FeedPerson? {
    var person = FeedPerson()
    guard hasElements(node) else {
      guard let line = text(node) else { return nil }
      person = FeedPerson(line: line)
      return person.isEmpty ? nil : person
    }
    for child in tape.children(of: node) {
      switch element(child) {
      case .name, .itunesName, .title: person.name = person.name ?? text(child)
      case .email, .itunesEmail: person.email = person.email ?? text(child)
      case .uri, .url, .homepage: person.url = person.url ?? text(child).map(scope.resolve)
      default: break
      }
    }
    return person.isEmpty ? nil : person
  }

  /// Returns the rank of an alternate link, by which the page's address is chosen. Links to HTML
  /// and links without a type have the best rank. Of links with equal ranks, the earlier one is
  /// preferred.
  func linkRank(_ node: Int) -> Int {
    guard let type = attribute(node, .type)?.lowercased() else { return 2 }
    return ASCII.contains("html", in: type) ? 2 : 1
  }
}

extension Array where Element == String {
  /// Adds the new tags of a category or keyword element.
  mutating func addTags(of node: Int, _ element: FeedElement, in tree: FeedTree) {
    switch element {
    case .itunesKeywords, .mediaKeywords, .keywords:
      for word in (tree.text(node) ?? "").utf8.split(separator: UInt8(ascii: ",")) {
        addTag(FeedText.string(ArraySlice(Array<UInt8>(word))))
      }
    case .categories:
      for child in tree.tape.children(of: node) where tree.element(child) == .category {
        addTags(of: child, .category, in: tree)
      }
    case .itunesCategory:
      addTag(tree.attribute(node, .text) ?? tree.text(node))
      for child in tree.tape.children(of: node) where tree.element(child) == .itunesCategory {
        addTag(tree.attribute(child, .text) ?? tree.text(child))
      }
    default:
      addTag(tree.attribute(node, .term) ?? tree.ownText(node) ?? tree.attribute(node, .label))
    }
  }

  mutating func addTag(_ tag: String?) {
    guard let tag, count < 1000, !contains(where: { $0.utf8.elementsEqual(tag.utf8) }) else {
      return
    }
    append(tag)
  }
}
