/// What the store knows of the items a run brought, and of all present ones where the rules need it.
package struct KnownItems: Equatable, Sendable {
  package private(set) var items: [ItemKey: KnownItem] = [:]

  package init() {}

  package subscript(key: ItemKey) -> KnownItem? {
    get { items[key] }
    set { items[key] = newValue }
  }
}
