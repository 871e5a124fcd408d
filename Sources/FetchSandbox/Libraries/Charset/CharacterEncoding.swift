/// A character encoding that text can be converted from, by the labels of the WHATWG Encoding
/// Standard: what feeds call `iso-8859-1` or `ascii` is read as windows-1252, `gb2312` as gb18030,
/// as browsers do.
enum CharacterEncoding: Equatable, Sendable {
  case utf8
  case utf16LittleEndian
  case utf16BigEndian
  case utf32LittleEndian
  case utf32BigEndian
  /// Any other, by the name that ICU knows it by.
  case other(String)

  static let windows1252 = CharacterEncoding.other("windows-1252")
  static let iso8859Part16 = CharacterEncoding.other("iso-8859-16")

  /// Longer labels are not names of encodings.
  private static let labelBytesMax = 40

  /// The encoding that a label names in a header, a declaration or a meta element; nil for others.
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
    // Browsers show nothing of these, because scripts can hide in them; a text has no scripts.
    case "replacement": return unlisted(label)
    // What the HTML standard says of it (13.2.3.2).
    case "x-user-defined": return .windows1252
    default: return .other(icuNames[name] ?? name)
    }
  }

  /// Aliases that ICU knows itself; names that it would open files for are not among them.
  private static func unlisted(_ label: String) -> CharacterEncoding? {
    let known = ["iso", "windows-", "cp", "ibm", "koi8", "mac", "x-mac-", "viscii", "hz-"]
    guard known.contains(where: { label.hasPrefix($0) }) else { return nil }
    let encoding = CharacterEncoding.other(label)
    return CharsetDecoder.canDecode(encoding) ? encoding : nil
  }

  /// Whether all of its text is ASCII bytes, so that nothing but a label or an escape tells.
  var isStateful: Bool {
    guard case .other(let name) = self else { return false }
    return name.hasPrefix("iso-2022") || name.hasPrefix("hz-")
  }

  /// Whether its tables have private-use characters that the Encoding Standard's have as well.
  var hasPrivateUse: Bool {
    self == .other("gb18030") || self == .other("macintosh")
      || self == .other("ibm-943_P15A-2003")
  }

  /// Names that ICU has for the tables that are nearest to the standard's.
  private static let icuNames = [
    "ibm866": "ibm-866", "windows-874": "windows-874-2000", "gbk": "gb18030",
    "big5": "ibm-1375_P100-2008", "shift_jis": "ibm-943_P15A-2003", "euc-kr": "windows-949-2000",
    "iso-8859-8-i": "iso-8859-8",
  ]
}
