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
