/// A change of an item that `Diff` decided and the store will record.
package struct ItemChange: Equatable, Sendable {
  package var key: ItemKey
  package var kind: ChangeKind
  package var fingerprint: Fingerprint
  /// The new item; nil for a removed item.
  package var item: ParsedItem?
  /// The last stored version of a removed item, for notifications about the removal.
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
  /// The approximate size of a stored version, in bytes, without the item's key and fields.
  package static let storedBytesEach = 200

  /// The size of the change in a store, in bytes. Computing the size takes about as long as storing
  /// the change.
  package var storedBytes: Int {
    Self.storedBytes(key: key, fields: item?.fieldsJSON.count ?? 2)
  }

  package static func storedBytes(key: ItemKey, fields: Int) -> Int {
    storedBytesEach + key.text.utf8.count + fields
  }
}
