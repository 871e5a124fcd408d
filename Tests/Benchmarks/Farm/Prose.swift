/// Text with the statistics that matter to a parser and to gzip. Common words occur often, and rare
/// words sometimes. The text has paragraphs, links, images, some characters beyond ASCII, and
/// characters that need escaping.
struct Prose {
  static let vocabulary: [[UInt8]] = makeVocabulary()

  var generator: SeededGenerator

  /// Returns a word. The first words of the vocabulary are far more frequent than the last words,
  /// as in Zipf's law.
  private mutating func word() -> [UInt8] {
    let position = generator.fraction()
    let count = Double(Self.vocabulary.count)
    return Self.vocabulary[
      min(Self.vocabulary.count - 1, Int(count * position * position * position))]
  }

  mutating func words(_ count: Int, into text: inout [UInt8]) {
    for index in 0..<count {
      if index > 0 { text.append(UInt8(ascii: " ")) }
      text.append(contentsOf: word())
    }
  }

  mutating func title() -> [UInt8] {
    var text: [UInt8] = []
    words(generator.within(4...11), into: &text)
    if generator.below(12) == 0 { text.append(contentsOf: " & more".utf8) }
    if let first = text.first, first >= 0x61, first <= 0x7A { text[0] = first - 32 }
    return text
  }

  mutating func sentence(into text: inout [UInt8]) {
    words(generator.within(6...18), into: &text)
    switch generator.below(14) {
    case 0: text.append(contentsOf: " &amp; so on.".utf8)
    case 1: text.append(contentsOf: " – it’s said.".utf8)
    default: text.append(UInt8(ascii: "."))
    }
  }

  /// Returns HTML of about `bytes` bytes, in paragraphs.
  mutating func html(bytes: Int) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes + 512)
    while text.count < bytes { paragraph(into: &text) }
    return text
  }

  private mutating func paragraph(into text: inout [UInt8]) {
    text.append(contentsOf: "<p>".utf8)
    for _ in 0..<generator.within(2...5) {
      sentence(into: &text)
      text.append(UInt8(ascii: " "))
    }
    switch generator.below(4) {
    case 0:
      text.append(
        contentsOf: "<a href=\"https://www.example.org/\(generator.below(99_999))\">".utf8)
      words(3, into: &text)
      text.append(contentsOf: "</a>".utf8)
    case 1:
      text.append(
        contentsOf: "<img src=\"https://img.example.net/\(generator.below(99_999)).jpg\" alt=\"\"/>"
          .utf8)
    case 2:
      text.append(contentsOf: "<strong>".utf8)
      words(2, into: &text)
      text.append(contentsOf: "</strong>".utf8)
    default: break
    }
    text.append(contentsOf: "</p>\n".utf8)
  }

  private static func makeVocabulary() -> [[UInt8]] {
    let common = """
      the of and to a in is it that for was on are with as at be this have from or by one had not \
      but what all were when we there can an your which their said if do will each about how up \
      out them then she many some so these would other into has more her two like him see time \
      could no make than first been its who now people my made over did down only way find use \
      may water long little very after words called just where most know
      """
    let syllables = [
      "ber", "lo", "min", "ta", "ver", "con", "dis", "pro", "ra", "se", "ti", "on", "er", "al",
      "en", "ma", "ne", "ri", "sta", "tra", "gé", "mü", "lan", "der", "ic", "per", "ing", "ous",
    ]
    var generator = SeededGenerator(7)
    var words = common.split(separator: " ").map { Array($0.utf8) }
    while words.count < 6_000 {
      let parts = (0..<generator.within(2...4)).map { _ in
        syllables[generator.below(syllables.count)]
      }
      words.append(Array(parts.joined().utf8))
    }
    return words
  }
}
