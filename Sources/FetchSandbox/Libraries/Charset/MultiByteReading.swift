/// An interpretation of bytes in an encoding with several bytes per character. The interpretation
/// computes the cost of the bytes as Chinese, Japanese or Korean text.
struct MultiByteReading {
  enum Language { case japanese, korean, simplified, traditional }

  let encoding: CharacterEncoding
  let language: Language
  /// The function that returns the length in bytes of the character at a byte beyond ASCII; 0 if no
  /// character begins there.
  let length: @Sendable (UnsafeRawBufferPointer, Int) -> Int
  /// The function that returns whether the character with the given first two bytes counts as
  /// frequent. The standards give frequent characters their own ranges of bytes.
  let isUsual: @Sendable (UInt8, UInt8) -> Bool

  /// Returns the cost of the characters beyond ASCII, in half bits as in `LetterModel`. The result
  /// includes the cost of ASCII bytes next to such a character. Only about the first `bytesMax`
  /// bytes beyond ASCII are read.
  func cost(_ bytes: UnsafeRawBufferPointer, bytesMax: Int) -> Int {
    var characters: [UInt8] = []
    var usual: [Bool] = []
    var cost = 0
    var index = 0
    var left = bytesMax
    while index < bytes.count, left > 0 {
      guard bytes[index] >= 0x80 else {
        index += 1
        continue
      }
      if index > 0, ASCII.isLetter(bytes[index - 1]) { cost += Self.letterBeforeCost }
      let count = length(bytes, index)
      if count == 0 {
        cost += SingleByteReading.undefinedCost
      } else {
        characters += bytes[index..<index + count]
        characters.append(0x20)
        usual.append(count == 1 || isUsual(bytes[index], bytes[index + 1]))
      }
      index += max(count, 1)
      left -= max(count, 1)
      if index < bytes.count, bytes[index] < 0x80 { cost += Self.tailCost(bytes[index]) }
    }
    return cost + self.cost(characters, usual)
  }

  private static let letterBeforeCost = 20
  private static func tailCost(_ byte: UInt8) -> Int { ASCII.isLetter(byte) ? 14 : 4 }

  private func cost(_ characters: [UInt8], _ usual: [Bool]) -> Int {
    guard let text = characters.withUnsafeBytes({ CharsetDecoder.utf8($0, from: encoding) }) else {
      return Int.max / 2
    }
    let costs = Self.costs(of: language)
    var cost = 0
    var index = 0
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      if scalar == " " {
        index += 1
        continue
      }
      let isUsual = index < usual.count && usual[index]
      cost += costs[scalar] ?? otherCost(scalar, isUsual: isUsual)
    }
    return cost
  }

  private func otherCost(_ scalar: Unicode.Scalar, isUsual: Bool) -> Int {
    switch scalar.value {
    case 0xFFFD, 0xE000...0xF8FF, 0x80..<0xA0: return SingleByteReading.undefinedCost
    case 0x3041...0x309F: return language == .japanese ? 13 : 34
    case 0x30A0...0x30FF: return language == .japanese ? 15 : 34
    case 0xFF61...0xFF9F: return language == .japanese ? 22 : 40
    case 0xAC00...0xD7A3: return isUsual ? 25 : 42
    case 0x3400...0x9FFF:
      if language == .korean { return 36 }
      return isUsual ? 28 : 42
    case 0x3000...0x303F, 0xFF01...0xFF5E, 0x2010...0x2030: return 24
    default: return 34
    }
  }
}

extension MultiByteReading {
  static let all: [MultiByteReading] = [
    MultiByteReading(
      encoding: .other("euc-jp"), language: .japanese, length: eucJP,
      isUsual: { lead, _ in lead < 0xD0 }),
    MultiByteReading(
      encoding: .other("ibm-943_P15A-2003"), language: .japanese, length: shiftJIS,
      isUsual: { lead, trail in lead < 0x98 || lead == 0x98 && trail < 0x73 }),
    MultiByteReading(
      encoding: .other("windows-949-2000"), language: .korean, length: eucKR,
      isUsual: { lead, trail in (0xB0...0xC8).contains(lead) && trail >= 0xA1 }),
    MultiByteReading(
      encoding: .other("gb18030"), language: .simplified, length: gb18030,
      isUsual: { lead, trail in (0xB0...0xD7).contains(lead) && trail >= 0xA1 }),
    MultiByteReading(
      encoding: .other("ibm-1375_P100-2008"), language: .traditional, length: big5,
      isUsual: { lead, _ in (0xA4...0xC6).contains(lead) }),
  ]

  private static let eucJP: @Sendable (UnsafeRawBufferPointer, Int) -> Int = { bytes, index in
    let next = byte(bytes, index + 1)
    switch bytes[index] {
    case 0x8E: return (0xA1...0xDF).contains(next) ? 2 : 0
    case 0x8F: return next >= 0xA1 && byte(bytes, index + 2) >= 0xA1 ? 3 : 0
    case 0xA1...0xFE: return next >= 0xA1 && next < 0xFF ? 2 : 0
    default: return 0
    }
  }

  private static let shiftJIS: @Sendable (UnsafeRawBufferPointer, Int) -> Int = { bytes, index in
    switch bytes[index] {
    case 0xA1...0xDF: return 1
    case 0x81...0x9F, 0xE0...0xFC:
      let next = byte(bytes, index + 1)
      return next >= 0x40 && next < 0xFD && next != 0x7F ? 2 : 0
    default: return 0
    }
  }

  private static let eucKR: @Sendable (UnsafeRawBufferPointer, Int) -> Int = { bytes, index in
    let next = byte(bytes, index + 1)
    let isTrail = next >= 0x41 && next < 0xFF && (next >= 0x81 || ASCII.isLetter(next))
    return (0x81...0xFE).contains(bytes[index]) && isTrail ? 2 : 0
  }

  private static let gb18030: @Sendable (UnsafeRawBufferPointer, Int) -> Int = { bytes, index in
    guard (0x81...0xFE).contains(bytes[index]) else { return 0 }
    let next = byte(bytes, index + 1)
    if ASCII.isDigit(next) {
      return byte(bytes, index + 2) >= 0x81 && ASCII.isDigit(byte(bytes, index + 3)) ? 4 : 0
    }
    return next >= 0x40 && next < 0xFF && next != 0x7F ? 2 : 0
  }

  private static let big5: @Sendable (UnsafeRawBufferPointer, Int) -> Int = { bytes, index in
    let next = byte(bytes, index + 1)
    let isTrail = (0x40...0x7E).contains(next) || (0xA1...0xFE).contains(next)
    return (0x81...0xFE).contains(bytes[index]) && isTrail ? 2 : 0
  }

  private static func byte(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt8 {
    index < bytes.count ? bytes[index] : 0
  }
}
