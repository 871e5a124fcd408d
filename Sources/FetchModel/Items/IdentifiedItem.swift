import FetchValues

/// A parsed item with what it is recognised by and what it says.
package struct IdentifiedItem: Equatable, Sendable {
  package var item: ParsedItem
  /// Its key when nothing is known about the job yet.
  package var key: ItemKey
  package var fingerprint: Fingerprint
  /// What its identity came to; several items of one result may have the same.
  let name: String
  /// The name before tracking parameters were taken from it, where it had some: stores that were
  /// written before they were know the item by it.
  var nameAsGiven: String?
  /// The name is not made of the URL already.
  let canAddURL: Bool

  init(item: ParsedItem, name: String, fingerprint: Fingerprint, canAddURL: Bool) {
    self.item = item
    self.name = name
    self.fingerprint = fingerprint
    self.canAddURL = canAddURL
    key = ItemKey(bounding: name)
  }
}

extension IdentifiedItem {
  /// Further keys under which the store may know it: when a source once gave one id to several
  /// items, they were told apart by these. Best first; not worth asking for unless `key` says
  /// nothing.
  package var alternates: [ItemKey] {
    let given = nameAsGiven.map { ItemKey(bounding: $0) }
    return [ItemKey(bounding: name), given, keyWithURL, keyWithContent].compactMap { $0 }
      .filter { $0 != key }
  }

  var keyWithURL: ItemKey? {
    guard canAddURL, let url = item.url.map(CanonicalText.of), !url.isEmpty else { return nil }
    return ItemKey(bounding: "\(name) \(url)")
  }

  /// Whether another item of the result has this name.
  var sharesName: Bool { key != ItemKey(bounding: name) }

  var keyWithContent: ItemKey { ItemKey(bounding: "\(name) content:\(fingerprint)") }
}

extension ItemKey {
  /// The text, or where it is too long a hash of it.
  init(bounding text: String) {
    self.init(
      text.utf8.count <= Self.textBytesMax ? text : "sha256:\(FingerprintWriter.hash(of: text))")
  }
}

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

/// Finds what each item is recognised by.
struct ItemIdentifier {
  private let identity: ItemIdentity
  private var writer: FingerprintWriter

  init(rules: ItemRules) {
    identity = rules.identity
    writer = FingerprintWriter(ignore: rules.ignore)
  }

  mutating func identify(_ item: ParsedItem) -> IdentifiedItem {
    let fingerprint = writer.fingerprint(of: item)
    if let name = chosenName(of: item) ?? item.id.flatMap(Self.nonEmpty) {
      let steady = Self.withoutTracking(name)
      var identified = IdentifiedItem(
        item: item, name: steady ?? name, fingerprint: fingerprint, canAddURL: true)
      if steady != nil { identified.nameAsGiven = name }
      return identified
    }
    let url = item.url.map(CanonicalText.of).flatMap(Self.nonEmpty)
    return IdentifiedItem(
      item: item, name: url ?? ItemTitle.contentPrefix + "\(fingerprint)", fingerprint: fingerprint,
      canAddURL: false)
  }

  /// The text of the fields that the plugin chose; nil when the item has none of them.
  private func chosenName(of item: ParsedItem) -> String? {
    guard case .fields(let names) = identity else { return nil }
    let texts = names.map { item.text(ofField: $0) }
    guard texts.contains(where: { $0 != nil }) else { return nil }
    if texts.count == 1 { return texts[0] }
    return try? JSONWriter.text(.array(texts.map { $0.map(Value.string) ?? .null }))
  }

  /// An id that is a URL stays the same whatever its tracking parameters say; nil where it has none.
  private static func withoutTracking(_ name: String) -> String? {
    guard name.utf8.starts(with: "http".utf8), name.utf8.contains(UInt8(ascii: "=")) else {
      return nil
    }
    let steady = CanonicalText.of(name)
    return steady.isEmpty || steady.utf8.elementsEqual(name.utf8) ? nil : steady
  }

  private static func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
}

extension ParsedItem {
  /// A field as text to recognise the item by; nil when it is missing, null or empty.
  fileprivate func text(ofField name: String) -> String? {
    let text: String? =
      switch name {
      case "id", "guid": id ?? fields[name].flatMap(Self.text)
      case "title": title.map(CanonicalText.of)
      case "url": url.map(CanonicalText.of)
      case "published", "date": published ?? fields[name].flatMap(Self.text)
      case "updated": updated
      case "author": author
      case "summary": summary.map(CanonicalText.of)
      case "content": content.map(CanonicalText.of)
      default: fields[name].flatMap(Self.text)
      }
    return text.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func text(_ value: Value) -> String? {
    switch value {
    case .null: nil
    case .string(let text): text
    case .bytes(let bytes): Hexadecimal.text(of: bytes)
    default: try? JSONWriter.text(value, options: .init(sortsKeys: true))
    }
  }
}
