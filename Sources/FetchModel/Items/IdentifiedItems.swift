/// One result, identified: no two items have the same key, exact duplicates are one item.
package struct IdentifiedItems: Sendable {
  /// In the plugin's order.
  package let items: [IdentifiedItem]

  /// Ids that occur more than once with different content fall back to id and URL, then to id and
  /// content, for all items that share the id, so that their order in the result does not matter.
  package init(_ parsed: [ParsedItem], rules: ItemRules) {
    var identifier = ItemIdentifier(rules: rules)
    let firsts = parsed.map { identifier.identify($0) }
    items = Self.withoutSharedKeys(firsts)
  }

  private static func withoutSharedKeys(_ items: [IdentifiedItem]) -> [IdentifiedItem] {
    var indexes: [ItemKey: [Int]] = [:]
    indexes.reserveCapacity(items.count)
    for (index, item) in items.enumerated() { indexes[item.key, default: []].append(index) }
    guard indexes.count < items.count else { return items }
    var result: [IdentifiedItem?] = items
    for (_, group) in indexes where group.count > 1 { separate(group, in: &result) }
    return result.compactMap { $0 }
  }

  private static func separate(_ group: [Int], in items: inout [IdentifiedItem?]) {
    var fingerprints: Set<Fingerprint> = []
    var urlCounts: [ItemKey: Int] = [:]
    var different: [Int] = []
    for index in group {
      guard let item = items[index] else { continue }
      if fingerprints.insert(item.fingerprint).inserted {
        different.append(index)
        if let key = item.keyWithURL { urlCounts[key, default: 0] += 1 }
      } else {
        items[index] = nil
      }
    }
    guard different.count > 1 else { return }
    for index in different {
      guard let item = items[index] else { continue }
      let byURL = item.keyWithURL.flatMap { urlCounts[$0] == 1 ? $0 : nil }
      items[index]?.key = byURL ?? item.keyWithContent
    }
  }
}
