/// The costs of pairs of adjacent letters in a language, in half bits. The cost of a pair is the
/// negative logarithm of how often the second letter follows the first. Texts in the language have
/// low costs, and other texts have high costs.
///
/// A model is an alphabet and one digit (0 to 9, a to z) for each pair of letters, row by row. The
/// row is the first letter, the column the second. The first row and column are the word border. A
/// `flat` model has only one row.
struct LetterModel: Sendable {
  enum Shape: Sendable {
    /// The alphabet is a to z, followed by the given letters.
    case latin
    /// The alphabet consists of the given letters.
    case script
    /// The model has only one row, which applies to all first letters.
    case flat
  }

  /// The number of the word border in every model.
  static let border: UInt8 = 0
  /// The number that stands for all letters outside the language's alphabet.
  static let foreign: UInt8 = 255

  let isLatin: Bool
  private let numbers: [Unicode.Scalar: UInt8]
  private let count: Int
  private let costs: [UInt8]

  init(_ shape: Shape, _ letters: String, _ digits: String) {
    let basic = shape == .latin ? "abcdefghijklmnopqrstuvwxyz" : ""
    let alphabet = Array((basic + letters).unicodeScalars)
    isLatin = shape == .latin
    count = alphabet.count + 1
    numbers = Dictionary(
      alphabet.enumerated().map { ($1, UInt8($0 + 1)) }, uniquingKeysWith: { first, _ in first })
    let row = digits.utf8.map { $0 < 0x3A ? $0 &- 0x30 : $0 &- 0x57 }
    costs = shape == .flat ? Array(repeatElement(row, count: count).joined()) : row
  }

  /// Returns the number of a lower-case letter in this language.
  func number(of letter: Unicode.Scalar) -> UInt8 { numbers[letter] ?? Self.foreign }

  /// Returns the cost of the second letter after the first letter. Neither letter may be `foreign`.
  func cost(_ first: UInt8, _ second: UInt8) -> Int {
    let index = Int(first) * count + Int(second)
    return index < costs.count ? Int(costs[index]) : 0
  }
}
