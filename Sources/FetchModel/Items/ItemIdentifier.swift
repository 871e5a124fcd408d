import FetchValues

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
