/// One decided change of an item, to be stored.
package struct ItemChange: Equatable, Sendable {
  package var key: ItemKey
  package var kind: ChangeKind
  package var fingerprint: Fingerprint
  /// The new item; nil for a removed one.
  package var item: ParsedItem?
  /// The last stored version of a removed item, for its notifications.
  package var last: LastVersion?
}

/// The last stored version of a removed item.
package struct LastVersion: Equatable, Sendable {
  package var title: String?
  package var url: String?

  package init(title: String?, url: String?) {
    self.title = title
    self.url = url
  }
}

extension ItemChange {
  /// The approximate bytes of a stored version besides its key and its fields.
  package static let storedBytesEach = 200

  /// The size of the change in a store. Computing it costs as much as storing it.
  package var storedBytes: Int {
    Self.storedBytes(key: key, fields: item?.fieldsJSON.count ?? 2)
  }

  package static func storedBytes(key: ItemKey, fields: Int) -> Int {
    storedBytesEach + key.text.utf8.count + fields
  }
}
