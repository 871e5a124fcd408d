import FetchModel
import FetchValues

/// A short name of a source, for the names of jobs.
enum SourceName {
  /// The maximum length of the name in bytes. Longer names would fill the columns of tables.
  private static let bytesMax = 40

  /// Returns the hostname of the first URL without `www.`, or the name of the URL's file. If there
  /// is no URL, returns the first text with letters or digits, such as `swiftlang-swift`. The name
  /// has only lower-case ASCII letters, digits, dots and hyphens. Returns nil if no allowed
  /// character is left.
  static func of(_ values: [Value]) -> String? {
    let texts = values.compactMap(\.displayText)
    for text in texts {
      guard let url = try? TargetURL(text) else { continue }
      if let name = plain(url.scheme == .file ? stem(url.path) : site(url.hostname)) {
        return name
      }
    }
    return texts.lazy.compactMap { plain($0.isAbsolutePath ? stem($0) : $0) }.first
  }

  private static func site(_ hostname: String) -> String {
    hostname.hasPrefix("www.") ? String(hostname.dropFirst(4)) : hostname
  }

  /// Returns the name of the file in a path, without its ending: `top-news` for
  /// `/srv/feeds/top-news.xml`.
  private static func stem(_ path: String) -> String {
    let name = path.pathNames.last ?? ""
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  /// Replaces each sequence of forbidden characters with one hyphen.
  private static func plain(_ text: String) -> String? {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "."):
        bytes.append(byte)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): bytes.append(byte | 0x20)
      default: if bytes.last != UInt8(ascii: "-") { bytes.append(UInt8(ascii: "-")) }
      }
      if bytes.count == bytesMax { break }
    }
    let ends: Set = [UInt8(ascii: "-"), UInt8(ascii: ".")]
    while let last = bytes.last, ends.contains(last) { bytes.removeLast() }
    let name = bytes.drop(while: ends.contains)
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }
}
