import FetchValues

/// A hash of an item's fields. Two versions of an item with equal fingerprints count as equal.
/// `FingerprintWriter` and `CanonicalText` describe the differences that the hash ignores.
package struct Fingerprint: Hashable, Sendable {
  /// The first eight of the sixteen bytes, big-endian. The sixteen bytes are the start of a SHA-256
  /// hash. An accidental collision needs about 2^64 items. A plugin that makes a collision on
  /// purpose only hides its own news.
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates a fingerprint from its bytes; nil unless there are exactly 16 bytes.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension Fingerprint: CustomStringConvertible {
  /// The fingerprint as 32 hexadecimal digits.
  package var description: String {
    [high, low].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }
}

/// The computation of the fingerprints of items, one item after another, in one buffer.
///
/// A fingerprint covers the names and values of the item's fields. A field that is null or an empty
/// text, list or table counts as missing. The id and the fields in `ignore` are excluded.
/// `published` and `updated` are included only if no other field is left, because a changed date
/// alone is not news.
package struct FingerprintWriter {
  private let ignore: [String]
  private var bytes: [UInt8] = []

  package init(ignore: [String]) { self.ignore = ignore }

  package mutating func fingerprint(of item: ParsedItem) -> Fingerprint {
    bytes.removeAll(keepingCapacity: true)
    append("title", item.title)
    append("url", item.url)
    append("author", item.author)
    append("summary", item.summary)
    append("content", item.content)
    appendTags(item.tags)
    appendFields(item.fields)
    if bytes.isEmpty {
      append("published", item.published)
      append("updated", item.updated)
    }
    return hash()
  }

  static func hash(of text: String) -> Fingerprint {
    var writer = FingerprintWriter(ignore: [])
    writer.bytes = Array(text.utf8)
    return writer.hash()
  }

  private func isIgnored(_ name: String) -> Bool {
    ignore.contains { $0.utf8.count == name.utf8.count && $0.utf8.elementsEqual(name.utf8) }
  }

  private mutating func append(_ name: String, _ text: String?) {
    guard let text, !text.isEmpty, !isIgnored(name) else { return }
    let start = bytes.count
    append(name: name)
    let textStart = bytes.count
    append(text)
    if bytes.count == textStart + 5 { bytes.removeSubrange(start...) }
  }

  private mutating func append(name: String) {
    bytes.append(Mark.name)
    appendCount(name.utf8.count)
    bytes.append(contentsOf: name.utf8)
  }

  /// Appends the canonical form of a text after the form's length in bytes. The length is known
  /// only after the form is written.
  private mutating func append(_ text: String) {
    bytes.append(Mark.text)
    let countStart = bytes.count
    appendCount(0)
    CanonicalText.append(text, to: &bytes)
    let count = UInt32(truncatingIfNeeded: bytes.count &- countStart &- 4)
    for index in 0..<4 {
      bytes[countStart &+ index] = UInt8(truncatingIfNeeded: count >> (8 * UInt32(index)))
    }
  }

  private mutating func appendCount(_ count: Int) {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: count).littleEndian) {
      bytes.append(contentsOf: $0)
    }
  }

  /// Appends tags in sorted order, because their order in the item does not matter.
  private mutating func appendTags(_ tags: [String]) {
    guard !tags.isEmpty, !isIgnored("tags") else { return }
    append(name: "tags")
    bytes.append(Mark.list)
    appendCount(tags.count)
    for tag in tags.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) { append(tag) }
  }

  private mutating func appendFields(_ fields: ValueObject) {
    guard !fields.isEmpty else { return }
    for field in fields.sortedByKey.members where !field.value.isNothing && !isIgnored(field.key) {
      append(name: field.key)
      append(field.value)
    }
  }

  private mutating func append(_ value: Value) {
    switch value {
    case .null: bytes.append(Mark.null)
    case .bool(let flag): bytes.append(flag ? Mark.true : Mark.false)
    case .integer(let number): append(number: number.description)
    case .number(let number): append(number: Int64(exactly: number)?.description ?? "\(number)")
    case .string(let text): append(text)
    case .bytes(let content):
      bytes.append(Mark.bytes)
      appendCount(content.count)
      bytes.append(contentsOf: content)
    case .array(let elements):
      bytes.append(Mark.list)
      appendCount(elements.count)
      for element in elements { append(element) }
    case .object(let object):
      bytes.append(Mark.object)
      appendCount(object.count)
      for member in object.sortedByKey.members {
        append(name: member.key)
        append(member.value)
      }
    }
  }

  private mutating func append(number: String) {
    bytes.append(Mark.number)
    appendCount(number.utf8.count)
    bytes.append(contentsOf: number.utf8)
  }

  private func hash() -> Fingerprint {
    SHA256.hash(data: bytes).withUnsafeBytes { digest in
      Fingerprint(
        high: UInt64(bigEndian: digest.loadUnaligned(as: UInt64.self)),
        low: UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
  }
}

/// The first byte of each name and each value in an item's hashed bytes. Without the marks,
/// different items could have the same bytes.
private enum Mark {
  static let name: UInt8 = 1
  static let text: UInt8 = 2
  static let bytes: UInt8 = 3
  static let number: UInt8 = 4
  static let list: UInt8 = 5
  static let object: UInt8 = 6
  static let null: UInt8 = 7
  static let `true`: UInt8 = 8
  static let `false`: UInt8 = 9
}

extension Value {
  /// Whether the value counts as a missing field.
  var isNothing: Bool {
    switch self {
    case .null: true
    case .string(let text): text.isEmpty
    case .array(let elements): elements.isEmpty
    case .object(let object): object.isEmpty
    default: false
    }
  }
}
