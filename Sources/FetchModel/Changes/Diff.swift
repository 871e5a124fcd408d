package import FetchValues

/// The comparison of a run's result with the items in the store. The same arguments always give the
/// same decision.
package struct Diff {
  private let rules: ItemRules
  private let known: KnownItems
  private let isFirstRun: Bool
  private let now: Timestamp

  /// Decides which changes a result makes to the store.
  ///
  /// - Parameters:
  ///   - known: the stored items with the keys of the result. If the store has no item with the
  ///     same key and content, also those with the alternate keys. With `rules.complete`, also
  ///     every present item of the job.
  ///   - isFirstRun: whether no run of the job has ended with a result yet.
  ///   - isWhole: whether this part and the earlier parts of the run contain every item of the
  ///     source. With `rules.complete`, missing items then count as removed.
  ///   - earlier: the keys of the items in earlier parts of the same run. The items with these keys
  ///     count as present. An item of this part may have one of these keys but differ from the
  ///     stored item. Such an item gets an unused alternate key, or is dropped if there is none.
  package static func decide(
    _ result: IdentifiedItems, rules: ItemRules, known: KnownItems, isFirstRun: Bool,
    isWhole: Bool, earlier: Set<ItemKey> = [], now: Timestamp
  ) -> RunChanges {
    let diff = Diff(rules: rules, known: known, isFirstRun: isFirstRun, now: now)
    var changes = RunChanges()
    let (items, keys) = diff.keyed(result.items, earlier: earlier)
    changes.itemCount = items.count
    let isNews = diff.newsOfFirstRun(items, keys)
    var kinds = [ChangeKind?](repeating: nil, count: items.count)
    for index in items.indices {
      let isNews = isNews?.contains(index) ?? true
      let fingerprint = items[index].fingerprint
      switch diff.compare(fingerprint, known[keys[index]], isNews: isNews) {
      case .same: break
      case .seen: changes.seen.append(keys[index])
      case .change(let kind): kinds[index] = kind
      }
    }
    changes.changes = diff.inOrder(kinds, of: items).compactMap { index in
      kinds[index].map { ItemChange(items[index], keys[index], $0) }
    }
    changes.shown = keys
    if rules.complete && isWhole {
      diff.remove(allBut: earlier.union(keys), into: &changes)
    }
    return changes
  }

  /// Returns the items with the key for each of them. The first choice is a key under which the
  /// store has the same content, unless an item before has this choice. The second choice is an
  /// unused key under which the store has any item. The third choice is any unused key, the item's
  /// own key before the alternate keys.
  ///
  /// An item is dropped if all of its keys are used. Only a source that uses such keys as ids of
  /// other items causes this. All returned keys are different.
  private func keyed(
    _ items: [IdentifiedItem], earlier: Set<ItemKey>
  ) -> (items: [IdentifiedItem], keys: [ItemKey]) {
    guard !known.items.isEmpty else { return (items, items.map(\.key)) }
    var taken = Set<ItemKey>(minimumCapacity: items.count)
    var keys = items.map { item -> ItemKey? in
      guard let key = sameKey(of: item), taken.insert(key).inserted else { return nil }
      return key
    }
    taken.formUnion(earlier)
    for index in choosing(items, without: keys) {
      let free = ([items[index].key] + items[index].alternates).filter { !taken.contains($0) }
      guard let key = free.first(where: { known[$0] != nil }) ?? free.first else { continue }
      taken.insert(key)
      keys[index] = key
    }
    let kept = items.indices.filter { keys[$0] != nil }
    let isWhole = kept.count == items.count
    return (isWhole ? items : kept.map { items[$0] }, keys.compactMap(\.self))
  }

  /// Returns the indexes of the items that have no key yet, in the order in which they get keys.
  /// The items keep the order of the result, unless one of them shares its name (`sharesName`). In
  /// that case, items whose own key is in the store come first. Both groups are then sorted by the
  /// text of `published`.
  private func choosing(_ items: [IdentifiedItem], without keys: [ItemKey?]) -> [Int] {
    let left = items.indices.filter { keys[$0] == nil }
    guard left.contains(where: { items[$0].sharesName }) else { return left }
    func rank(_ index: Int) -> (Int, String, String) {
      let item = items[index]
      return (known[item.key] == nil ? 1 : 0, item.item.published ?? "", item.key.text)
    }
    return left.sorted { rank($0) < rank($1) }
  }

  private func sameKey(of item: IdentifiedItem) -> ItemKey? {
    if known[item.key]?.fingerprint == item.fingerprint { return item.key }
    return item.alternates.first { known[$0]?.fingerprint == item.fingerprint }
  }

  private enum Comparison {
    case same
    /// The item is unchanged, and the store's last-seen time of the item is at least
    /// `KnownItem.lastSeenRenewal` ago.
    case seen
    case change(ChangeKind)
  }

  private func compare(
    _ fingerprint: Fingerprint, _ before: KnownItem?, isNews: Bool
  ) -> Comparison {
    guard let before else { return .change(isNews ? .added : .baseline) }
    // For a complete source, a removed item that appears again is a change even if its content is
    // the same. For any other source, such an item is compared with its stored version.
    if before.presence == .removed && rules.complete { return .change(silent ?? .added) }
    if before.fingerprint != fingerprint { return .change(silent ?? .updated) }
    return now - before.lastSeenAt >= KnownItem.lastSeenRenewal ? .seen : .same
  }

  /// The kind `baseline` in a first run under the rule `baseline`; nil in any other run. Items may
  /// be stored even before a first run ends, by an earlier part or a failed attempt.
  private var silent: ChangeKind? { isFirstRun && rules.firstRun == .baseline ? .baseline : nil }

  private func remove(allBut present: Set<ItemKey>, into changes: inout RunChanges) {
    let gone = known.items.filter { $0.value.presence == .present && !present.contains($0.key) }
    let inOrder = gone.sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }
    for (key, item) in inOrder {
      changes.changes.append(
        ItemChange(key: key, kind: .removed, fingerprint: item.fingerprint, item: nil))
    }
  }

  // MARK: Order

  /// Returns the indexes of the items that are news in a first run if they are not stored yet.
  /// Returns nil if all such items are news, and in a later run. With `latest(count)`, items that
  /// are already stored do not count. The caller has subtracted the stored news from `count`.
  private func newsOfFirstRun(_ items: [IdentifiedItem], _ keys: [ItemKey]) -> Set<Int>? {
    guard isFirstRun else { return nil }
    switch rules.firstRun {
    case .all: return nil
    case .baseline: return []
    case .latest(let count):
      let new = oldestFirst(items).filter { known[keys[$0]] == nil }
      return Set(new.suffix(max(0, count)))
    }
  }

  /// Returns the indexes of the changed items, oldest first. Reads dates only if there are two or
  /// more changes, because most results have no changes.
  private func inOrder(_ kinds: [ChangeKind?], of items: [IdentifiedItem]) -> [Int] {
    let changed = kinds.indices.filter { kinds[$0] != nil }
    return changed.count < 2 ? changed : oldestFirst(items).filter { kinds[$0] != nil }
  }

  /// Returns the indexes of the items, oldest first: by date if every item has a valid date.
  /// Otherwise, reverses the order of the result, because most sources list the newest item first.
  /// Items with equal dates keep the reversed order.
  private func oldestFirst(_ items: [IdentifiedItem]) -> [Int] {
    let reversed = Array(items.indices.reversed())
    let dates = items.indices.map {
      items[$0].item.published.flatMap { Timestamp(rfc3339: $0) }
    }
    guard dates.allSatisfy({ $0 != nil }) else { return reversed }
    return reversed.enumerated().sorted { left, right in
      let (a, b) = (dates[left.element], dates[right.element])
      guard let a, let b, a != b else { return left.offset < right.offset }
      return a < b
    }.map(\.element)
  }
}

extension ItemChange {
  fileprivate init(_ item: IdentifiedItem, _ key: ItemKey, _ kind: ChangeKind) {
    self.init(key: key, kind: kind, fingerprint: item.fingerprint, item: item.item)
  }
}
