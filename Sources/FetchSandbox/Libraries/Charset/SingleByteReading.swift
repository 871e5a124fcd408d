/// An interpretation of bytes in an encoding with one byte per character. The interpretation
/// computes the cost of the bytes as text of a language.
struct SingleByteReading {
  /// A byte's role in a text.
  enum Kind {
    case blank, digit, lower, upper, caseless, opening, closing, apostrophe, symbol, undefined

    var isLetter: Bool { self == .lower || self == .upper || self == .caseless }
  }

  // Costs are in half bits, like those of `LetterModel`.
  static let undefinedCost = 60
  private static let foreignCost = 44
  private static let wrongCaseCost = 24
  /// The additional cost of a letter next to a letter of another script.
  private static let scriptChangeCost = 40
  /// The cost of a combining mark that the model lacks, such as a vowel sign that most texts omit.
  private static let markCost = 18
  private static let misplacedCost = 14
  private static let openingInWordCost = 24
  /// The limit of the model's cost, or of `foreignCost`, for a letter in `commonLetters`. The limit
  /// applies only to windows-1252, because some western languages have no model.
  private static let commonCost = 22
  private static let commonLetters = Set("áéíóúàèìòùâêîôûäëïöüñçåæøãõß".unicodeScalars)

  private var kinds: [Kind] = []
  private var letters: [Unicode.Scalar] = []
  private var symbolCosts: [Int] = []
  private var isMark: [Bool] = []

  private let isWestern: Bool

  /// Creates the reading; nil if ICU does not support the encoding, or if the encoding does not
  /// have one byte per character.
  init?(_ encoding: CharacterEncoding) {
    isWestern = encoding == .windows1252
    let bytes = (0...255).map { UInt8($0) }
    guard let text = bytes.withUnsafeBytes({ CharsetDecoder.utf8($0, from: encoding) }) else {
      return nil
    }
    let scalars = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
    guard scalars.count == 256 else { return nil }
    for (byte, scalar) in scalars.enumerated() {
      kinds.append(Self.kind(scalar))
      letters.append(Self.lowered(scalar))
      isMark.append(scalar.properties.generalCategory == .nonspacingMark)
      // The Windows encodings have the apostrophe below 0xA0. If an encoding has the apostrophe at
      // a higher byte, a text with this byte more likely has another encoding.
      let isOdd = scalar == "’" && byte >= 0xA0
      symbolCosts.append(Self.symbolCost(scalar) + (isOdd ? 16 : 0))
    }
  }

  /// Returns, for each byte, the number of the byte's letter in the language's model.
  func numbers(in model: LetterModel) -> [UInt8] {
    letters.indices.map { index in
      kinds[index].isLetter ? model.number(of: letters[index]) : LetterModel.border
    }
  }

  /// Returns the cost of all pairs in the language of the model. Pairs within ASCII have half the
  /// weight, because texts in several languages are common.
  func cost(_ pairs: BytePairs, _ model: LetterModel, _ numbers: [UInt8]) -> Int {
    var cost = 0
    for (pair, count) in pairs.counts {
      cost += 2 * count * self.cost(Int(pair >> 8), Int(pair & 0xFF), numbers, model)
    }
    for (pair, count) in pairs.asciiCounts {
      let (first, second) = (Int(pair >> 8), Int(pair & 0xFF))
      let isModelled = model.isLatin && numbers[second] != LetterModel.foreign
      cost +=
        count
        * (isModelled ? model.cost(numbers[first], numbers[second]) : BytePairs.cost(pair))
    }
    return cost / 2
  }

  private func cost(_ first: Int, _ second: Int, _ numbers: [UInt8], _ model: LetterModel) -> Int {
    switch kinds[second] {
    case .undefined: Self.undefinedCost
    case .lower, .upper, .caseless: letterCost(first, second, numbers, model)
    case .blank, .digit: afterCost(first, second, numbers, model)
    default: symbolCosts[second] + beforeCost(first, second)
    }
  }

  private func letterCost(
    _ first: Int, _ second: Int, _ numbers: [UInt8], _ model: LetterModel
  ) -> Int {
    let change =
      !model.isLatin && kinds[first].isLetter && (first < 0x80) != (second < 0x80)
      ? Self.scriptChangeCost : 0
    if second < 0x80, !model.isLatin { return afterCost(first, second, numbers, model) + change }
    guard numbers[second] != LetterModel.foreign else {
      if isMark[second] { return Self.markCost }
      return min(Self.foreignCost, limit(second)) + caseCost(first, second) + change
    }
    let isForeign = numbers[first] == LetterModel.foreign
    let before = isForeign || change > 0 ? LetterModel.border : numbers[first]
    let pair = model.cost(before, numbers[second])
    return min(pair, limit(second)) + caseCost(first, second) + afterSymbolCost(first, second)
      + change
  }

  private func limit(_ second: Int) -> Int {
    isWestern && Self.commonLetters.contains(letters[second]) ? Self.commonCost : Int.max
  }

  private func caseCost(_ first: Int, _ second: Int) -> Int {
    switch (kinds[first], kinds[second]) {
    case (.lower, .upper): Self.wrongCaseCost
    case (.upper, .upper): 2
    case (_, .upper): 4
    default: 0
    }
  }

  /// Returns the cost of an ASCII byte after a byte beyond ASCII.
  private func afterCost(
    _ first: Int, _ second: Int, _ numbers: [UInt8], _ model: LetterModel
  ) -> Int {
    guard kinds[first].isLetter else { return 2 + afterSymbolCost(first, second) }
    guard numbers[first] != LetterModel.foreign else { return 6 }
    return kinds[second].isLetter ? 8 : model.cost(numbers[first], LetterModel.border)
  }

  private func beforeCost(_ first: Int, _ second: Int) -> Int {
    switch kinds[second] {
    case .opening: kinds[first].isLetter ? Self.openingInWordCost : 0
    case .closing: kinds[first] == .blank ? 4 : 0
    case .apostrophe: kinds[first] == .blank && isGlue(second) ? 12 : 0
    case .symbol: kinds[first].isLetter ? Self.misplacedCost : 0
    default: 0
    }
  }

  /// Whether the byte is an apostrophe or a no-break space. Both rarely follow a blank.
  private func isGlue(_ byte: Int) -> Bool {
    letters[byte] == "’" || letters[byte] == "\u{A0}"
  }

  private func afterSymbolCost(_ first: Int, _ second: Int) -> Int {
    guard first >= 0x80, kinds[second].isLetter else { return 0 }
    return kinds[first] == .symbol || kinds[first] == .closing ? Self.misplacedCost : 0
  }

  private static func kind(_ scalar: Unicode.Scalar) -> Kind {
    switch scalar.value {
    case 0x30...0x39: return .digit
    case 0...0x40, 0x5B...0x60, 0x7B...0x7F: return .blank
    case 0x80..<0xA0, 0xFFFD, 0xE000...0xF8FF: return .undefined
    case 0xB0, 0xA7, 0xA9, 0xAB, 0xA1, 0xBF, 0x201A, 0x201C, 0x201E, 0x2039:
      return .opening
    case 0xB2, 0xB3, 0xAE, 0x2122, 0xBB, 0x201D, 0x203A, 0x2026: return .closing
    case 0xAA, 0xBA, 0xA0, 0x2019, 0xB7, 0xAD, 0x2013, 0x2014, 0x200C, 0x200D: return .apostrophe
    default: break
    }
    let properties = scalar.properties
    if properties.isLowercase { return .lower }
    if properties.isUppercase { return .upper }
    return properties.isAlphabetic || properties.generalCategory == .nonspacingMark
      ? .caseless : .symbol
  }

  private static func lowered(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "İ": "i"
    case "ș", "Ș": "ş"
    case "ț", "Ț": "ţ"
    default: scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
    }
  }

  private static func symbolCost(_ scalar: Unicode.Scalar) -> Int {
    let isDrawing = (0x2500...0x25FF).contains(scalar.value)
    return symbolCosts[scalar] ?? (isDrawing ? 44 : 30)
  }

  private static let symbolCosts: [Unicode.Scalar: Int] = {
    var costs: [Unicode.Scalar: Int] = [:]
    for (cost, symbols) in [
      (10, "’"), (14, "“”„«»–"), (16, "‘—…\u{A0}¡¿"), (18, "€°ºª№"), (20, "£§©½²³"),
      (22, "®·™´‚•\u{AD}\u{200C}"), (24, "‹›¼¾×±"),
    ] {
      for symbol in symbols.unicodeScalars { costs[symbol] = cost }
    }
    return costs
  }()
}
