import FetchValues

/// Query parameters that say where a click came from and nothing about what is behind the link.
/// Feeds add and change them at will, so they are no part of an item's identity or content.
enum TrackingParameters {
  /// Any name that begins so: Google Analytics, Matomo, HubSpot, AT Internet (the BBC's).
  private static let prefixes: [[UInt8]] = [
    "utm_", "mtm_", "_hs", "at_campaign", "at_medium", "at_custom", "at_link",
  ].map { Array($0.utf8) }

  /// These names exactly: the click ids of advertisers and mailers.
  private static let names: [[UInt8]] = [
    "fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "ttclid",
    "twclid", "li_fat_id", "igshid", "igsh", "mc_cid", "mc_eid", "mkt_tok", "vero_id", "vero_conv",
    "oly_enc_id", "oly_anon_id", "wickedid", "_ga", "_gl", "ns_source", "ns_campaign",
    "ns_mchannel", "ns_linkname", "hsctatracking", "__twitter_impression", "rb_clickid", "xtor",
    "wt_mc", "ref_src", "pk_campaign", "pk_kwd", "_openstat", "epik",
  ].map { Array($0.utf8) }

  private static let firstBytes = Set((prefixes + names).compactMap(\.first))
  private static let nameBytesMax = 24

  /// Where the parameter that begins at `start` ends, or nil when it is not one of these.
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
