/// The words of a partly typed command line, which a shell passes for completion. The shell passes
/// `~`, quotes and backslashes unchanged. The initializer removes the quotes around a word. From a
/// word that does not begin with a quote, it removes the backslashes. bash also splits the words at
/// `=`.
struct TypedLine {
  /// The words before the word to complete, without the program's name.
  let words: [String]

  init(_ words: [String], upTo index: Int) {
    self.words = words.prefix(max(0, index)).dropFirst().map(Self.unquoted)
  }

  /// Returns the value of the last use of an option, typed as `--name value` or `--name=value`.
  /// Returns nil if the option was not typed, or if no word follows it.
  func value(of option: String) -> String? {
    for (index, word) in words.enumerated().reversed() {
      if word.hasPrefix(option + "=") { return String(word.dropFirst(option.utf8.count + 1)) }
      guard word == option else { continue }
      let next = words[(index + 1)...].first { $0 != "=" }
      return next?.isEmpty == false ? next : nil
    }
    return nil
  }

  var config: String? { value(of: "--config").map(Self.expanded) }

  /// Returns the first word after the verb that is neither an option nor the value of `--config` or
  /// `--store`.
  func positional(after verb: String) -> String? {
    guard let start = words.firstIndex(of: verb) else { return nil }
    var isValue = false
    for word in words[(start + 1)...] {
      if word == "=" { continue }
      if isValue {
        isValue = false
      } else if word == "--config" || word == "--store" {
        isValue = true
      } else if !word.hasPrefix("-") {
        return word
      }
    }
    return nil
  }

  /// Returns the path with the home folder in place of `~`, if the path begins with `~/`.
  static func expanded(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = ProcessEnvironment.environment["HOME"] else {
      return path
    }
    return home + path.dropFirst(1)
  }

  private static func unquoted(_ word: String) -> String {
    guard let quote = word.first, quote == "\"" || quote == "'" else {
      return word.contains("\\") ? word.replacing("\\", with: "") : word
    }
    let inner = word.dropFirst()
    return String(inner.last == quote ? inner.dropLast() : inner)
  }
}
