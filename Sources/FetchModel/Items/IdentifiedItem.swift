package import FetchValues

/// A parsed item with its identity and its fingerprint.
package struct IdentifiedItem: Equatable, Sendable {
  package var item: ParsedItem
  /// The item's key. Items of one result with the same `name` have different keys. If the store
  /// already has items under this key or one of `alternates`, `Diff` may choose an alternate key.
  package var key: ItemKey
  package var fingerprint: Fingerprint
  /// The item's identity as text, before it is made unique. Several items of one result may have
  /// the same name.
  let name: String
  /// The name before tracking parameters were removed from the id or the plugin's fields; nil if
  /// `name` has no such change. Older versions of fetchrun kept tracking parameters, so a store may
  /// have the item under this name.
  let nameAsGiven: String?
  /// Whether the item's URL can be added to the name. The value is false if the item has neither an
  /// id nor a field that the plugin chose for the identity.
  let canAddURL: Bool

  init(
    item: ParsedItem, name: String, nameAsGiven: String? = nil, fingerprint: Fingerprint,
    canAddURL: Bool
  ) {
    self.item = item
    self.name = name
    self.nameAsGiven = nameAsGiven
    self.fingerprint = fingerprint
    self.canAddURL = canAddURL
    key = ItemKey(bounding: name)
  }
}

extension IdentifiedItem {
  /// The keys other than `key` under which the store may have the item, best match first: see
  /// `Diff`. For example, the store may have a key of id and URL from an earlier result.
  package var alternates: [ItemKey] {
    let given = nameAsGiven.map { ItemKey(bounding: $0) }
    return [ItemKey(bounding: name), given, keyWithURL, keyWithContent].compactMap { $0 }
      .filter { $0 != key }
  }

  var keyWithURL: ItemKey? {
    guard canAddURL, let url = item.url.map(CanonicalText.of), !url.isEmpty else { return nil }
    return ItemKey(bounding: "\(name) \(url)")
  }

  /// Whether another item of the result has the same name.
  var sharesName: Bool { key != ItemKey(bounding: name) }

  var keyWithContent: ItemKey { ItemKey(bounding: "\(name) content:\(fingerprint)") }
}

extension ItemKey {
  /// Creates a key from the text, or from a hash of the text if the text is too long.
  init(bounding text: String) {
    self.init(
      text.utf8.count <= Self.textBytesMax ? text : "sha256:\(FingerprintWriter.hash(of: text))")
  }
}

/// The identified items of one result. All items have different keys. Items with the same identity
/// are merged if they have the same fingerprint.
package struct IdentifiedItems: Sendable {
  /// The items in the plugin's order.
  package let items: [IdentifiedItem]

  /// Identifies the items of a result. If several different items have the same identity, the key
  /// of each consists of identity and URL. If the URL is missing, not unique or itself the
  /// identity, the key consists of identity and fingerprint.
  package init(_ parsed: [ParsedItem], rules: ItemRules) {
    var identifier = ItemIdentifier(rules: rules)
    let firsts = parsed.map { identifier.identify($0) }
    items = Self.withoutSharedKeys(firsts)
  }

  private static func withoutSharedKeys(_ items: [IdentifiedItem]) -> [IdentifiedItem] {
    var taken = Set<ItemKey>(minimumCapacity: items.count)
    for index in items.indices { taken.insert(items[index].key) }
    guard taken.count < items.count else { return items }
    let indexes = Dictionary(grouping: items.indices) { items[$0].key }
    var result: [IdentifiedItem?] = items
    let groups = indexes.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
    for group in groups { separate(group, in: &result, &taken) }
    return result.compactMap { $0 }
  }

  /// Gives the items of a group different keys, which are not in `taken`. An item is dropped if
  /// both of its keys are taken. Only a source that uses such keys as ids of other items causes
  /// this.
  private static func separate(
    _ group: [Int], in items: inout [IdentifiedItem?], _ taken: inout Set<ItemKey>
  ) {
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
      let keys = [byURL, item.keyWithContent].compactMap(\.self)
      guard let key = keys.first(where: { !taken.contains($0) }) else {
        items[index] = nil
        continue
      }
      taken.insert(key)
      items[index]?.key = key
    }
  }
}

struct ItemIdentifier {
  private let identity: ItemIdentity
  private var writer: FingerprintWriter

  init(rules: ItemRules) {
    identity = rules.identity
    writer = FingerprintWriter(ignore: rules.ignore)
  }

  mutating func identify(_ item: consuming ParsedItem) -> IdentifiedItem {
    let fingerprint = writer.fingerprint(of: item)
    if let name = chosenName(of: item) ?? item.id.flatMap(Self.nonEmpty) {
      let steady = Self.withoutTracking(name)
      return IdentifiedItem(
        item: item, name: steady ?? name, nameAsGiven: steady == nil ? nil : name,
        fingerprint: fingerprint, canAddURL: true)
    }
    let url = item.url.map(CanonicalText.of).flatMap(Self.nonEmpty)
    return IdentifiedItem(
      item: item, name: url ?? ItemTitle.contentPrefix + "\(fingerprint)", fingerprint: fingerprint,
      canAddURL: false)
  }

  /// Returns the identity of an item from the fields that the plugin chose. The result is nil if
  /// the plugin chose no fields, or if the item has none of them.
  private func chosenName(of item: ParsedItem) -> String? {
    guard case .fields(let names) = identity else { return nil }
    let texts = names.map { item.text(ofField: $0) }
    guard texts.contains(where: { $0 != nil }) else { return nil }
    if texts.count == 1 { return texts[0] }
    return try? JSONWriter.text(.array(texts.map { $0.map(Value.string) ?? .null }))
  }

  /// Returns the name without tracking parameters and with normalized white space if the name looks
  /// like a URL with parameters. The result is nil for any other name, and for a name that would
  /// not change.
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
  /// Returns a field as text for the identity; nil if the field has no text or an empty text.
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

/// The plugin's rule for recognising an item in later results.
package enum ItemIdentity: Equatable, Sendable {
  /// The identity is the item's `id`. Without an id, the identity is the item's `url`. Without a
  /// URL as well, the identity is a hash of the content.
  case automatic
  /// The identity is the values of the given fields together. For an item without any of the
  /// fields, the rule is `automatic`.
  case fields([String])

  package static func field(_ name: String) -> ItemIdentity { .fields([name]) }
}

/// The stored facts that are needed to compare an item, without its content.
package struct KnownItem: Equatable, Sendable {
  package enum Presence: UInt8, Sendable {
    case present = 0
    /// The source removed the item: a complete result lacked it.
    case removed = 1
    /// fetchrun has pruned the item. A tombstone remains, so that the item is not news again while
    /// it is unchanged.
    case pruned = 2
  }

  package var fingerprint: Fingerprint
  package var presence: Presence
  /// The time of a result that had the item, or that removed it. For an unchanged item, the time is
  /// updated only after `lastSeenRenewal`, so later results may have had the item, too.
  package var lastSeenAt: Timestamp

  package init(fingerprint: Fingerprint, presence: Presence, lastSeenAt: Timestamp) {
    self.fingerprint = fingerprint
    self.presence = presence
    self.lastSeenAt = lastSeenAt
  }

  /// The minimum age at which `lastSeenAt` of an unchanged item is updated. An update of every item
  /// in every run would be expensive. Retention counts in days, so it needs no exact time.
  package static let lastSeenRenewal: Duration = .seconds(7 * 86_400)
}

/// The stored facts about the items in a part of a run. If `ItemRules.complete` is true, all
/// present items of the job are included.
package struct KnownItems: Equatable, Sendable {
  package private(set) var items: [ItemKey: KnownItem] = [:]

  package init() {}

  package subscript(key: ItemKey) -> KnownItem? {
    get { items[key] }
    set { items[key] = newValue }
  }
}

/// The identity of an item within its job, as text.
package struct ItemKey: Hashable, Sendable {
  private let exact: ExactText
  package var text: String { exact.text }

  /// The maximum length of a key, in bytes. A longer text is hashed. SQLite would store most of a
  /// longer key outside the index page, on at least one additional page for each key.
  package static let textBytesMax = 1024

  package init(_ text: String) { exact = ExactText(text) }
}
