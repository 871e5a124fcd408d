/// A three-letter word that is common in the dates of feeds: an English month or weekday, or `GMT`
/// or `UTC`. It is recognised without creating a string.
enum EnglishDateWord {
  case month(Int)
  case weekday
  /// The zone GMT or UTC.
  case universal
}

extension DateCursor {
  /// Skips an `EnglishDateWord` and returns it; nil for any other word, which is not skipped.
  mutating func englishWord() -> EnglishDateWord? {
    guard let first = byte(after: 0), let second = byte(after: 1), let third = byte(after: 2) else {
      return nil
    }
    if let next = byte(after: 3), next.isLetter || next >= 0x80 { return nil }
    let letters = UInt32(first | 0x20) << 16 | UInt32(second | 0x20) << 8 | UInt32(third | 0x20)
    guard let word = Self.words[letters] else { return nil }
    for _ in 0..<3 { advance() }
    return word
  }

  private static let words: [UInt32: EnglishDateWord] = {
    var words: [UInt32: EnglishDateWord] = [:]
    func add(_ names: String, _ word: (Int) -> EnglishDateWord) {
      for (index, name) in names.split(separator: " ").enumerated() {
        words[name.utf8.reduce(0) { $0 << 8 | UInt32($1) }] = word(index)
      }
    }
    add("jan feb mar apr may jun jul aug sep oct nov dec") { .month($0 + 1) }
    add("mon tue wed thu fri sat sun") { _ in .weekday }
    add("gmt utc") { _ in .universal }
    return words
  }()
}
