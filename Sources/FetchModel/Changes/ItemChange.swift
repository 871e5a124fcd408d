/// One decided change of one item, to be stored.
package struct ItemChange: Equatable, Sendable {
  package var key: ItemKey
  package var kind: ChangeKind
  package var fingerprint: Fingerprint
  /// The item as it is now; nil for a removed one.
  package var item: ParsedItem?
  /// Of a removed item, for who is notified of it: what the store had of it last.
  package var last: LastVersion?
}

/// What the store had last of an item that is gone.
package struct LastVersion: Equatable, Sendable {
  package var title: String?
  package var url: String?

  package init(title: String?, url: String?) {
    self.title = title
    self.url = url
  }
}

extension ItemChange {
  /// What a store needs for a version besides its key and its fields, about.
  package static let storedBytesEach = 200

  /// What the change takes in a store. It costs as much as storing it.
  package var storedBytes: Int {
    Self.storedBytes(key: key, fields: item?.fieldsJSON.count ?? 2)
  }

  package static func storedBytes(key: ItemKey, fields: Int) -> Int {
    storedBytesEach + key.text.utf8.count + fields
  }
}
