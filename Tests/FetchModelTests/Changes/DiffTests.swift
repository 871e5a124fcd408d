import FetchModel
import FetchValues
import Testing

@Suite struct DiffTests {
  private let a = Items.make(id: "a", title: "A")
  private let b = Items.make(id: "b", title: "B")
  private let c = Items.make(id: "c", title: "C")

  private func rules(_ firstRun: FirstRunRule = .all, complete: Bool = false) -> ItemRules {
    var rules = ItemRules()
    rules.firstRun = firstRun
    rules.complete = complete
    return rules
  }

  @Test func `added, updated and known items are distinguished`() {
    let changed = Items.make(id: "b", title: "B!")
    let changes = Items.decide([c, changed, a], known: Items.known([a, b]))
    #expect(changes.changes.map(\.key.text) == ["b", "c"])
    #expect(changes.changes.map(\.kind) == [.updated, .added])
    #expect(changes.outcome == .newData(ChangeCounts(added: 1, updated: 1)))
  }

  @Test func `a repeated identity with other content is a separate item, also in later parts`() {
    let first = Items.make(id: "g", title: "one", url: "https://example.org/1")
    let second = Items.make(id: "g", title: "two", url: "https://example.org/2")
    var known = KnownItems()
    for _ in 0..<3 {
      let isNew = known.items.isEmpty
      let part = Items.decide([first], known: known)
      Items.apply(part, to: &known)
      let next = Items.decide([second, first], known: known, earlier: Set(part.shown))
      Items.apply(next, to: &known)
      #expect(part.counts == ChangeCounts(added: isNew ? 1 : 0))
      #expect(next.counts == ChangeCounts(added: isNew ? 1 : 0))
      #expect(known.items.count == 2)
    }
  }

  @Test func `an item whose keys are all used by other items is dropped`() throws {
    let before = Items.make(id: "b http://h/", title: "A")
    let changed = Items.make(id: "b http://h/", title: "A!")
    let alternates = IdentifiedItems([changed], rules: ItemRules()).items[0].alternates
    let key = try #require(alternates.last?.text)
    let thief = Items.make(id: "b", title: "B", url: "http://h/")
    let other = Items.make(id: key, title: "C")
    let changes = Items.decide([thief, other, changed], known: Items.known([before]))
    #expect(Set(changes.changes.map(\.key)).count == changes.changes.count)
    #expect(Set(changes.changes.map(\.key.text)) == ["b http://h/", key])
    #expect(changes.itemCount == 2)
    #expect(changes.shown.count == 2)
  }

  @Test func `another order of the items is not news`() {
    #expect(Items.decide([b, c, a], known: Items.known([a, b, c])).outcome == .noData(.sameItems))
  }

  @Test func `a result without items is empty, which differs from unchanged items`() {
    #expect(Items.decide([], known: Items.known([a])).outcome == .noData(.empty))
  }

  @Test(arguments: [
    (FirstRunRule.all, 3), (.baseline, 0), (.latest(1), 1), (.latest(9), 3), (.latest(-1), 0),
  ]) func `the first run's rule decides what is news`(rule: FirstRunRule, added: Int) {
    let changes = Items.decide(
      [a, b, c], known: KnownItems(), rules: rules(rule), isFirstRun: true)
    #expect(changes.counts == ChangeCounts(added: added))
    #expect(changes.changes.count == 3)
    #expect(added > 0 || changes.outcome == .noData(.sameItems))
    let later = Items.decide([a, b, c], known: KnownItems(), rules: rules(rule))
    #expect(later.counts == ChangeCounts(added: 3))
  }

  @Test func `the latest items are those with the latest date, in any order`() {
    let old = Items.make(id: "old", published: "2026-01-01T00:00:00Z")
    let new = Items.make(id: "new", published: "2026-01-01T01:30:00+01:00")
    for items in [[old, new], [new, old]] {
      let changes = Items.decide(
        items, known: KnownItems(), rules: rules(.latest(1)), isFirstRun: true)
      #expect(changes.changes.map(\.key.text) == ["old", "new"])
      #expect(changes.changes.map(\.kind) == [.baseline, .added])
    }
  }

  @Test func `without dates, the first items of a result are the latest ones`() {
    let changes = Items.decide(
      [a, b, c], known: KnownItems(), rules: rules(.latest(1)), isFirstRun: true)
    #expect(changes.changes.last?.key.text == "a")
    #expect(changes.changes.last?.kind == .added)
  }

  @Test(arguments: [(true, true, 1), (true, false, 0), (false, true, 0), (false, false, 0)])
  func `a missing item is removed only if the result is whole and the source complete`(
    complete: Bool, isWhole: Bool, removed: Int
  ) {
    let changes = Items.decide(
      [a], known: Items.known([a, b]), rules: rules(complete: complete), isWhole: isWhole)
    #expect(changes.counts == ChangeCounts(removed: removed))
  }

  @Test(arguments: [KnownItem.Presence.removed, .pruned], [true, false])
  func `removed or pruned items are not reported as new again`(
    presence: KnownItem.Presence, complete: Bool
  ) {
    var known = Items.known([a])
    known[ItemKey("a")]?.presence = presence
    let changes = Items.decide([a], known: known, rules: rules(complete: complete))
    let isBack = complete && presence == .removed
    #expect(changes.counts == ChangeCounts(added: isBack ? 1 : 0))
  }

  @Test func `the last-seen mark is renewed after a week, not at every run`() {
    let known = Items.known([a])
    let week = Items.now + KnownItem.lastSeenRenewal
    #expect(Items.decide([a], known: known, now: week + .seconds(-1)).seen.isEmpty)
    let changes = Items.decide([a], known: known, now: week)
    #expect(changes.seen == [ItemKey("a")])
    #expect(changes.outcome == .noData(.sameItems))
  }
}
