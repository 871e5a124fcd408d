import FetchValues

/// A writer of texts in a canonical form. Each sequence of white space becomes one space, and white
/// space at both ends is removed. Every byte up to 0x20 counts as white space. Tracking parameters
/// of URLs anywhere in the text are removed.
///
/// The writer handles plain text, HTML and URLs in the same way. Before a tracking parameter,
/// `&amp;` counts as `&`.
package struct CanonicalText {
  private let text: UnsafeBufferPointer<UInt8>
  private var position = 0
  /// The `?` or `#` that was removed with the parameter after it. This byte replaces the next `&`.
  private var owed: UInt8?

  private init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  package static func append(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { utf8 in
      var pass = CanonicalText(utf8)
      pass.run(&bytes)
    }
  }

  package static func of(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func run(_ bytes: inout [UInt8]) {
    let start = bytes.count
    var plainStart = 0
    while position < text.count {
      if position > plainStart { skipPlainBlocks() }
      let byte = text[position]
      guard byte <= UInt8(ascii: "?"), Self.isSpecial(byte), !isLoneSpace(after: plainStart) else {
        position &+= 1
        continue
      }
      bytes.append(contentsOf: text[plainStart..<position])
      if byte <= UInt8(ascii: " ") {
        skipSpace(&bytes, start: start)
      } else {
        passSeparator(byte, &bytes)
      }
      plainStart = position
    }
    bytes.append(contentsOf: text[plainStart..<position])
    if bytes.count > start, bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
  }

  private static let blockBytes = 8

  /// Skips bytes that are not special, and single spaces. Stops at the first other byte, at the
  /// latest within the last 8 bytes of the text. The byte before `position` must not be special.
  private mutating func skipPlainBlocks() {
    let bytes = UnsafeRawBufferPointer(text)
    while position &+ Self.blockBytes < bytes.count {
      let block = ByteBlock.load(bytes, at: position)
      let following = ByteBlock.load(bytes, at: position &+ 1)
      let special =
        ByteBlock.blanks(block) & ByteBlock.blanks(following) | ByteBlock.controls(block)
        | ByteBlock.first(UInt8(ascii: "?"), block) | ByteBlock.first(UInt8(ascii: "&"), block)
        | ByteBlock.first(UInt8(ascii: "#"), block)
      guard special == 0 else { return position &+= ByteBlock.index(special) }
      position &+= Self.blockBytes
    }
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte <= UInt8(ascii: " ") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "&")
      || byte == UInt8(ascii: "#")
  }

  /// Whether the byte is a single space between two words. Such a space is kept unchanged.
  private func isLoneSpace(after plainStart: Int) -> Bool {
    text[position] == UInt8(ascii: " ") && position > plainStart && position &+ 1 < text.count
      && text[position &+ 1] > UInt8(ascii: " ")
  }

  private mutating func skipSpace(_ bytes: inout [UInt8], start: Int) {
    while position < text.count, text[position] <= UInt8(ascii: " ") { position &+= 1 }
    owed = nil
    if bytes.count > start, bytes.last != UInt8(ascii: " ") { bytes.append(UInt8(ascii: " ")) }
  }

  /// Handles `?`, `#` or `&`: drops the tracking parameter after the byte, or writes the separator.
  private mutating func passSeparator(_ byte: UInt8, _ bytes: inout [UInt8]) {
    let isFirst = !Self.isAmpersand(byte)
    if isFirst { owed = nil }
    let nameStart = isFirst ? position &+ 1 : afterAmpersand(position)
    if let end = TrackingParameters.end(ofParameterAt: nameStart, in: text) {
      if isFirst { owed = byte }
      position = end
      if end >= text.count || !Self.isAmpersand(text[end]) { owed = nil }
    } else if let separator = owed {
      owed = nil
      bytes.append(separator)
      position = nameStart
    } else {
      bytes.append(byte)
      position &+= 1
    }
  }

  private static func isAmpersand(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "&") }

  /// Returns the index at which a parameter's name begins after `&`, or after an HTML entity such
  /// as `&amp;`.
  private func afterAmpersand(_ position: Int) -> Int {
    for entity: StaticString in ["amp;", "#38;", "#038;", "#x26;"] {
      let length = entity.utf8CodeUnitCount
      guard position &+ 1 &+ length <= text.count else { continue }
      let isEntity = (0..<length).allSatisfy {
        text[position &+ 1 &+ $0] == entity.utf8Start[$0]
      }
      if isEntity { return position &+ 1 &+ length }
    }
    return position &+ 1
  }
}

/// The query parameters that describe where a click came from, not the target of the link. Feeds
/// often add and change these parameters, so fingerprints ignore them.
enum TrackingParameters {
  /// The prefixes of parameter names of Google Analytics, Matomo, HubSpot and AT Internet (used by
  /// the BBC).
  private static let prefixes: [[UInt8]] = [
    "utm_", "mtm_", "_hs", "at_campaign", "at_medium", "at_custom", "at_link",
  ].map { Array($0.utf8) }

  /// The tracking parameters that are identified by their whole name, such as the click ids of
  /// advertisers and mailing services.
  private static let names: [[UInt8]] = [
    "fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "ttclid",
    "twclid", "li_fat_id", "igshid", "igsh", "mc_cid", "mc_eid", "mkt_tok", "vero_id", "vero_conv",
    "oly_enc_id", "oly_anon_id", "wickedid", "_ga", "_gl", "ns_source", "ns_campaign",
    "ns_mchannel", "ns_linkname", "hsctatracking", "__twitter_impression", "rb_clickid", "xtor",
    "wt_mc", "ref_src", "pk_campaign", "pk_kwd", "_openstat", "epik",
  ].map { Array($0.utf8) }

  private static let firstBytes = Set((prefixes + names).compactMap(\.first))
  private static let nameBytesMax = 24

  /// Returns the end of the parameter that begins at `start`; nil if the parameter is not for
  /// tracking.
  static func end(ofParameterAt start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard start < text.count, firstBytes.contains(lower(text[start])) else { return nil }
    var nameEnd = start
    while nameEnd < text.count, isNameByte(text[nameEnd]) { nameEnd &+= 1 }
    guard nameEnd < text.count, text[nameEnd] == UInt8(ascii: "=") else { return nil }
    let name = text[start..<min(nameEnd, start &+ nameBytesMax)].map(lower)
    guard prefixes.contains(where: name.starts) || names.contains(name) else { return nil }
    var end = nameEnd
    while end < text.count, !isEnd(text[end]) { end &+= 1 }
    return end
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch lower(byte) {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func isEnd(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...UInt8(ascii: " "), UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: "\""),
      UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: ")"),
      UInt8(ascii: "]"):
      true
    default: false
    }
  }
}
