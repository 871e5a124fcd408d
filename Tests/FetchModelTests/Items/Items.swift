import FetchModel
import FetchValues

/// Items and known items for the tests of the item rules.
enum Items {
  static let now = Timestamp(seconds: 1_800_000_000)

  static func make(
    id: String? = nil, title: String? = nil, url: String? = nil, content: String? = nil,
    published: String? = nil, fields: ValueObject = ValueObject()
  ) -> ParsedItem {
    var item = ParsedItem()
    item.id = id
    item.title = title
    item.url = url
    item.content = content
    item.published = published
    item.fields = fields
    return item
  }

  static func keys(_ items: [ParsedItem], rules: ItemRules = ItemRules()) -> [String] {
    IdentifiedItems(items, rules: rules).items.map(\.key.text)
  }

  /// Returns the items that a store knows after these changes.
  static func apply(_ changes: RunChanges, to known: inout KnownItems, at now: Timestamp = now) {
    for change in changes.changes {
      known[change.key] = KnownItem(
        fingerprint: change.fingerprint,
        presence: change.kind == .removed ? .removed : .present, lastSeenAt: now)
    }
    for key in changes.seen { known[key]?.lastSeenAt = now }
  }

  static func decide(
    _ items: [ParsedItem], known: KnownItems, rules: ItemRules = ItemRules(),
    isFirstRun: Bool = false, isWhole: Bool = true, earlier: Set<ItemKey> = [],
    now: Timestamp = now
  ) -> RunChanges {
    Diff.decide(
      IdentifiedItems(items, rules: rules), rules: rules, known: known, isFirstRun: isFirstRun,
      isWhole: isWhole, earlier: earlier, now: now)
  }

  static func known(_ items: [ParsedItem], rules: ItemRules = ItemRules()) -> KnownItems {
    var known = KnownItems()
    apply(decide(items, known: known, rules: rules), to: &known)
    return known
  }
}
