import FetchEngine
import FetchModel
import Glibc

/// The address of a web page, typed instead of a plugin, with or without its scheme.
struct TypedAddress {
  /// The address with its scheme.
  let url: String
  /// Whether the scheme was not typed.
  let isAssumed: Bool

  /// Returns nil if the word is more likely a plugin: a name in these folders, or a file.
  init?(_ word: String, _ folders: PluginFolders) {
    if ["http://", "https://"].contains(where: { word.lowercased().hasPrefix($0) }) {
      (url, isAssumed) = (word, false)
      return
    }
    guard !folders.has(word), access(word, F_OK) != 0, let target = Self.target(word) else {
      return nil
    }
    url = (Self.isPlain(target, hasPort: Self.hasPort(word)) ? "http://" : "https://") + word
    isAssumed = true
  }

  /// The same page by the other scheme; nil if the scheme was typed.
  var other: (scheme: String, url: String)? {
    guard isAssumed, let end = url.firstRange(of: "://")?.upperBound else { return nil }
    let scheme = url.hasPrefix("https:") ? "http" : "https"
    return (scheme, "\(scheme)://\(url[end...])")
  }

  /// Returns the target of a hostname with a dot, of `localhost`, of an IP address, or of any host
  /// with a port. Returns nil for names of files and for paths.
  private static func target(_ word: String) -> TargetURL? {
    let host = word.prefix { !"/?#".contains($0) }
    let isFile = fileEndings.contains {
      word.lowercased().hasSuffix($0) && host.count == word.count
    }
    guard let first = host.first, first != ".", !host.contains("@"), !isFile,
      !word.hasSuffix(".lua"),
      let target = try? TargetURL("http://" + word)
    else { return nil }
    let isNamed = target.hostname.contains(".") || target.hostname == "localhost"
    return isNamed || target.literalAddress != nil || hasPort(word) ? target : nil
  }

  private static func hasPort(_ word: String) -> Bool {
    word.prefix { !"/?#".contains($0) }.firstMatch(of: /:[0-9]+$/) != nil
  }

  private static let fileEndings = [".yaml", ".yml", ".opml", ".json", ".xml"]

  /// Whether a server at the target most likely uses HTTP without TLS.
  private static func isPlain(_ target: TargetURL, hasPort: Bool) -> Bool {
    if target.port == TargetURL.Scheme.https.defaultPort { return false }
    if hasPort || target.hostname == "localhost" { return true }
    return target.literalAddress.map { AddressClass($0) != .global } ?? false
  }
}
