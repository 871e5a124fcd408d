import FetchValues

extension FeedItem {
  /// Sets the id of an entry without an id to the entry's address, or otherwise to a hash of the
  /// entry's texts.
  mutating func completeID() {
    if id == nil { id = url ?? contentHash }
  }

  /// The 128-bit FNV-1a hash of the entry's title, its text and the address of its first enclosure.
  /// If an entry has neither title nor text, the hash also covers its date. The algorithm must not
  /// change between releases. The hash is compared only with ids in the same feed, so a deliberate
  /// collision gains nothing.
  private var contentHash: String {
    var hash: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
    func add(_ text: String?) {
      for byte in (text ?? "").utf8 { mix(byte) }
      mix(0)
    }
    func mix(_ byte: UInt8) {
      hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
    }
    add(title)
    add(content ?? summary)
    add(enclosures.first?.url)
    if title == nil, summary == nil, content == nil { add(published?.description) }
    let digits = String(hash, radix: 16)
    return "hash:" + String(repeating: "0", count: max(0, 32 - digits.count)) + digits
  }
}
