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

  /// Longer labels are not names of encodings.
  private static let labelBytesMax = 40

  /// The encoding that a label names in a header, a declaration or a meta element; nil for others.
  init?(label: some Sequence<UInt8>) {
    var name: [UInt8] = []
    for byte in label where byte > 0x20 && byte != 0x22 && byte != 0x27 {
      guard name.count < Self.labelBytesMax, byte < 0x7F else { return nil }
      name.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
    }
    guard !name.isEmpty, let found = Self.named(String(decoding: name, as: UTF8.self)) else {
      return nil
    }
    self = found
  }

  private static func named(_ name: String) -> CharacterEncoding? {
    switch name {
    case "utf-8", "utf8", "utf_8", "unicode-1-1-utf-8", "x-utf-8", "unicode11utf8": .utf8
    case "utf-16", "utf16", "utf_16", "u16", "utf-16le", "utf-16-le", "utf_16_le", "ucs-2",
      "iso-10646-ucs-2", "unicode", "csunicode":
      .utf16LittleEndian
    case "utf-16be", "utf-16-be", "utf_16_be", "unicodefffe": .utf16BigEndian
    case "utf-32le", "utf-32-le", "utf_32_le": .utf32LittleEndian
    case "utf-32", "utf32", "utf_32", "u32", "utf-32be", "utf-32-be", "utf_32_be", "ucs-4",
      "iso-10646-ucs-4":
      .utf32BigEndian
    default: other(named: name)
    }
  }

  private static func other(named name: String) -> CharacterEncoding? {
    if let icuName = icuNames[name] { return .other(icuName) }
    // Remaining aliases ICU knows itself; names it would open files for are not among them.
    let known = ["iso", "windows-", "cp", "ibm", "koi8", "mac", "x-mac-", "tis-", "viscii", "hz-"]
    return known.contains { name.hasPrefix($0) } ? .other(name) : nil
  }

  private static let icuNames: [String: String] = {
    var names: [String: String] = [:]
    for (icuName, labels) in groups {
      for label in labels.split(separator: " ") { names[String(label)] = icuName }
    }
    return names
  }()

  private static let groups: [(String, String)] = [
    (
      "windows-1252",
      "windows-1252 cp1252 x-cp1252 cp-1252 ansi iso-8859-1 iso8859-1 iso_8859-1 iso88591 8859-1 "
        + "iso-ir-100 latin1 latin-1 l1 ascii us-ascii usascii ansi_x3.4-1968 csisolatin1 cp819 "
        + "ibm819 iso-8859-1:1987 iso_8859-1:1987 windows1252 win-1252"
    ),
    ("windows-1250", "windows-1250 cp1250 x-cp1250 windows1250 win-1250"),
    ("windows-1251", "windows-1251 cp1251 x-cp1251 windows1251 win-1251"),
    ("windows-1253", "windows-1253 cp1253 x-cp1253 windows1253"),
    (
      "windows-1254",
      "windows-1254 cp1254 x-cp1254 windows1254 iso-8859-9 iso8859-9 iso_8859-9 iso88599 latin5 l5"
    ),
    ("windows-1255", "windows-1255 cp1255 x-cp1255 windows1255"),
    ("windows-1256", "windows-1256 cp1256 x-cp1256 windows1256"),
    ("windows-1257", "windows-1257 cp1257 x-cp1257 windows1257"),
    ("windows-1258", "windows-1258 cp1258 x-cp1258 windows1258"),
    (
      "windows-874-2000",
      "windows-874 dos-874 tis-620 tis620 iso-8859-11 iso8859-11 iso885911"
    ),
    ("iso-8859-2", "iso-8859-2 iso8859-2 iso_8859-2 iso88592 latin2 l2"),
    ("iso-8859-15", "iso-8859-15 iso8859-15 iso_8859-15 iso885915 latin9 l9"),
    (
      "gb18030",
      "gb18030 gb2312 gb_2312-80 gb_2312 gbk x-gbk chinese csgb2312 gb2312-80 euc-cn euccn cp936 "
        + "windows-936 ms936"
    ),
    ("windows-950-2000", "big5 big-5 big5-eten x-x-big5 csbig5 cn-big5 cp950 windows-950"),
    ("ibm-1375_P100-2008", "big5-hkscs big5hkscs"),
    (
      "ibm-943_P15A-2003",
      "shift_jis shift-jis shiftjis sjis s-jis x-sjis ms_kanji ms932 windows-31j csshiftjis cp932"
    ),
    ("euc-jp", "euc-jp eucjp euc_jp x-euc-jp x-euc-jp cseucpkdfmtjapanese ujis"),
    ("iso-2022-jp", "iso-2022-jp csiso2022jp"),
    (
      "windows-949-2000",
      "euc-kr euckr euc_kr ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 korean cseuckr "
        + "windows-949 cp949 ms949 uhc"
    ),
    ("koi8-r", "koi8-r koi8 koi koi8_r cskoi8r"),
    ("koi8-u", "koi8-u koi8-ru"),
    ("ibm-866", "ibm866 cp866 866 csibm866"),
    ("macintosh", "macintosh mac x-mac-roman csmacintosh"),
    ("x-mac-cyrillic", "x-mac-cyrillic x-mac-ukrainian"),
  ]
}
