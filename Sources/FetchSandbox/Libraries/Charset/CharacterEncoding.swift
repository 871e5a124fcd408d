/// A character encoding from which text can be converted, with the labels of the WHATWG Encoding
/// Standard and some aliases of ICU. As in browsers, `iso-8859-1` and `ascii` mean windows-1252,
/// and text labelled `gb2312` is decoded as gb18030.
enum CharacterEncoding: Equatable, Sendable {
  case utf8
  case utf16LittleEndian
  case utf16BigEndian
  case utf32LittleEndian
  case utf32BigEndian
  /// Another encoding, by its name in ICU. ICU lacks `iso-8859-16`: see `CharsetDecoder`.
  case other(String)

  static let windows1252 = CharacterEncoding.other("windows-1252")
  static let iso8859Part16 = CharacterEncoding.other("iso-8859-16")

  private static let labelBytesMax = 40

  /// Creates the encoding for a label in a header, a declaration or a meta element; nil if the
  /// label is unknown.
  init?(label: some Sequence<UInt8>) {
    var name: [UInt8] = []
    for byte in label where byte > 0x20 && byte != 0x22 && byte != 0x27 {
      guard name.count < Self.labelBytesMax, byte < 0x7F else { return nil }
      name.append(ASCII.lowered(byte))
    }
    guard !name.isEmpty, let found = Self.named(String(decoding: name, as: UTF8.self)) else {
      return nil
    }
    self = found
  }

  private static func named(_ label: String) -> CharacterEncoding? {
    guard let name = EncodingLabels.name(ofLabel: label) else { return unlisted(label) }
    switch name {
    case "utf-8": return .utf8
    case "utf-16le": return .utf16LittleEndian
    case "utf-16be": return .utf16BigEndian
    case "utf-32le": return .utf32LittleEndian
    case "utf-32be": return .utf32BigEndian
    // Browsers refuse these encodings, because scripts can be hidden in them. No scripts run here,
    // so the encodings are decoded where possible.
    case "replacement": return unlisted(label)
    // The HTML standard (13.2.3.2) prescribes windows-1252 for this label.
    case "x-user-defined": return .windows1252
    default: return .other(icuNames[name] ?? name)
    }
  }

  /// Returns the encoding for an alias in ICU's own tables; nil if there is none. Only labels with
  /// certain beginnings are tried.
  private static func unlisted(_ label: String) -> CharacterEncoding? {
    let known = ["iso", "windows-", "cp", "ibm", "koi8", "mac", "x-mac-", "viscii", "hz-"]
    guard known.contains(where: { label.hasPrefix($0) }) else { return nil }
    let encoding = CharacterEncoding.other(label)
    return CharsetDecoder.canDecode(encoding) ? encoding : nil
  }

  /// Whether text in this encoding consists of ASCII bytes only, so that only a label or an escape
  /// sequence identifies it.
  var isStateful: Bool {
    guard case .other(let name) = self else { return false }
    return name.hasPrefix("iso-2022") || name.hasPrefix("hz-")
  }

  /// Whether the Encoding Standard maps some bytes of this encoding to private-use characters.
  /// `CharsetDecoder` keeps these characters.
  var hasPrivateUse: Bool {
    self == .other("gb18030") || self == .other("macintosh")
      || self == .other("ibm-943_P15A-2003")
  }

  /// The ICU names of the conversion tables that are closest to those of the Encoding Standard.
  private static let icuNames = [
    "ibm866": "ibm-866", "windows-874": "windows-874-2000", "gbk": "gb18030",
    "big5": "ibm-1375_P100-2008", "shift_jis": "ibm-943_P15A-2003", "euc-kr": "windows-949-2000",
    "iso-8859-8-i": "iso-8859-8",
  ]
}
