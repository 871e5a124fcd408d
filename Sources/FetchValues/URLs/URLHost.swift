/// The conversion of hostnames and addresses to the form that is used for comparing and connecting.
enum URLHost {
  /// Returns the canonical form of a host. A hostname is in lower case, with `xn--` labels for
  /// characters outside ASCII. An IPv6 address is in its canonical text. Returns nil for an invalid
  /// host, for numbers that only some resolvers read as an address, and for percent-escapes,
  /// because parsers disagree about them.
  static func canonical(_ host: String) -> String? {
    if host.utf8.first == UInt8(ascii: "[") { return canonicalAddress(host) }
    guard host.utf8.allSatisfy({ $0 >= 0x80 || !forbidden.contains($0) }) else { return nil }
    guard host.utf8.allSatisfy({ $0 < 0x80 }) else { return canonicalInternational(host) }
    let lowercased = host.asciiLowercased
    guard !lowercased.isEmpty, !endsInNumber(lowercased) || IPv4Address(lowercased) != nil
    else { return nil }
    return lowercased
  }

  /// Returns the host of a URL whose scheme does not need a host. An IPv6 address gets its
  /// canonical text. In any other host, only control bytes and bytes outside ASCII are escaped.
  /// Returns nil for an invalid address and for forbidden bytes.
  static func opaque(_ host: String) -> String? {
    if host.utf8.first == UInt8(ascii: "[") { return canonicalAddress(host) }
    let kept = host.utf8.allSatisfy {
      $0 == UInt8(ascii: "%") || $0 == 0x7F || $0 < 0x20 && $0 != 0 || !forbidden.contains($0)
    }
    guard kept else { return nil }
    return String(
      decoding: PercentEncoding.encode(host.utf8, keeping: printable), as: UTF8.self)
  }

  private static func canonicalAddress(_ host: String) -> String? {
    guard host.utf8.last == UInt8(ascii: "]"),
      let address = IPv6Address(host.utf8.dropFirst().dropLast())
    else { return nil }
    return "[\(address.text)]"
  }

  private static func canonicalInternational(_ host: String) -> String? {
    var labels: [String] = []
    for label in host.split(separator: ".", omittingEmptySubsequences: false) {
      guard let encoded = Punycode.label(label) else { return nil }
      labels.append(encoded)
    }
    let joined = labels.joined(separator: ".")
    return endsInNumber(joined) && IPv4Address(joined) == nil ? nil : joined
  }

  /// Whether the last label of the host is a decimal, octal or hexadecimal number. Some resolvers
  /// read a host with such a label as an address.
  private static func endsInNumber(_ host: String) -> Bool {
    var bytes = Array(host.utf8)[...]
    if bytes.last == UInt8(ascii: ".") { bytes = bytes.dropLast() }
    let last = bytes.suffix(from: bytes.lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? 0)
    guard !last.isEmpty else { return false }
    if last.allSatisfy(ByteSet.digits.contains) { return true }
    return last.starts(with: "0x".utf8) && last.dropFirst(2).allSatisfy { $0.hexDigitValue != nil }
  }

  /// The forbidden domain code points of the URL Standard.
  private static let forbidden = ByteSet(
    """
    \u{0}\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}\u{9}\u{A}\u{B}\u{C}\u{D}\u{E}\u{F}\
    \u{10}\u{11}\u{12}\u{13}\u{14}\u{15}\u{16}\u{17}\u{18}\u{19}\u{1A}\u{1B}\u{1C}\u{1D}\u{1E}\
    \u{1F}\u{7F} #%/:<>?@[\\]^|
    """)
  private static let printable = ByteSet.unreserved.union(ByteSet("!\"$%&'()*+,;=`{}"))
}

/// The ASCII form of labels of international hostnames (RFC 3492, `xn--`).
///
/// The only mapping is to lower case. After this mapping, a label that is not in ASCII is rejected
/// if it has a symbol other than `-` and `_`. Such a label is also rejected if UTS 46 would map one
/// of its characters to others, such as a full-width letter, `ª` or a ligature.
enum Punycode {
  /// Returns a label in its ASCII form. A label in ASCII is only changed to lower case. Returns nil
  /// for any other label that is too long or has a character for which `isLetterOrDigit` is false.
  static func label(_ label: Substring) -> String? {
    let lowercased = label.unicodeScalars.map { $0.properties.lowercaseMapping }.joined()
    let scalars = Array(lowercased.unicodeScalars)
    if scalars.allSatisfy(\.isASCII) { return lowercased }
    guard scalars.count <= 63, scalars.allSatisfy(isLetterOrDigit) else { return nil }
    guard let encoded = encode(scalars), encoded.utf8.count <= 59 else { return nil }
    return "xn--" + encoded
  }

  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark,
      .decimalNumber:
      // UTS 46 maps what NFKC case folding changes. Only ß and the final sigma stay unchanged, as
      // in the URL Standard (deviation characters, nontransitional).
      !scalar.properties.changesWhenNFKCCaseFolded || scalar == "\u{DF}" || scalar == "\u{3C2}"
    default: scalar == "-" || scalar == "_"
    }
  }

  /// Encodes characters according to RFC 3492 section 6.3. No number can overflow, because a label
  /// has at most 63 characters.
  private static func encode(_ scalars: [Unicode.Scalar]) -> String? {
    var output = scalars.filter(\.isASCII).map { UInt8(truncatingIfNeeded: $0.value) }
    let basicCount = output.count
    if basicCount > 0 { output.append(UInt8(ascii: "-")) }
    var state = (code: 128, delta: 0, bias: 72, handled: basicCount)
    while state.handled < scalars.count {
      guard let next = scalars.map({ Int($0.value) }).filter({ $0 >= state.code }).min() else {
        return nil
      }
      state.delta += (next - state.code) * (state.handled + 1)
      state.code = next
      for scalar in scalars {
        if scalar.value < next { state.delta += 1 }
        guard scalar.value == next else { continue }
        appendVariableLength(state.delta, bias: state.bias, to: &output)
        state.bias = adaptedBias(
          state.delta, count: state.handled + 1, isFirst: state.handled == basicCount)
        state.delta = 0
        state.handled += 1
      }
      state.delta += 1
      state.code += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func appendVariableLength(_ number: Int, bias: Int, to output: inout [UInt8]) {
    var rest = number
    var position = 36
    while true {
      let threshold = min(max(position - bias, 1), 26)
      if rest < threshold { break }
      output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
      rest = (rest - threshold) / (36 - threshold)
      position += 36
    }
    output.append(digit(rest))
  }

  private static func digit(_ value: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: value < 26 ? value + 0x61 : value - 26 + 0x30)
  }

  private static func adaptedBias(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var bias = 0
    while delta > 455 {
      delta /= 35
      bias += 36
    }
    return bias + 36 * delta / (delta + 38)
  }
}

/// An IPv4 address in its only unambiguous form: four decimal numbers without leading zeros. The
/// octal, hexadecimal and short forms that some resolvers accept are rejected, because they hide
/// the target of a request.
package struct IPv4Address: Equatable, Sendable {
  package var bits: UInt32 = 0

  package init?(_ text: String) {
    var (dotCount, number) = (0, UInt32?.none)
    for byte in text.utf8 {
      if byte == UInt8(ascii: ".") {
        guard let ended = number, dotCount < 3 else { return nil }
        bits = bits << 8 | ended
        (dotCount, number) = (dotCount + 1, nil)
      } else {
        // A zero before another digit is refused.
        guard byte.isASCIIDigit, number != 0 else { return nil }
        let value = (number ?? 0) * 10 + UInt32(byte & 15)
        guard value <= 255 else { return nil }
        number = value
      }
    }
    guard let last = number, dotCount == 3 else { return nil }
    bits = bits << 8 | last
  }
}

/// An IPv6 address as it is written between the brackets of a URL, without a zone.
package struct IPv6Address: Equatable, Sendable {
  package private(set) var groups: [UInt16] = []

  /// Creates an address from its 16-bit groups; nil unless there are eight groups.
  package init?(groups: [UInt16]) {
    guard groups.count == 8 else { return nil }
    self.groups = groups
  }

  /// Parses the three text forms of RFC 4291 section 2.2; nil for any other text.
  package init?(_ text: some Sequence<UInt8>) {
    let bytes = Array(text)
    guard bytes.count <= 45 else { return nil }
    var index = 0
    var gap: Int?
    if bytes.starts(with: [Self.colon, Self.colon]) {
      gap = 0
      index = 2
    }
    while index < bytes.count {
      guard groups.count < 8 else { return nil }
      let piece = bytes[index...].prefix { $0 != Self.colon }
      if piece.contains(UInt8(ascii: ".")) {
        guard piece.endIndex == bytes.count, groups.count <= 6,
          let address = IPv4Address(String(decoding: piece, as: UTF8.self))
        else { return nil }
        groups.append(UInt16(truncatingIfNeeded: address.bits >> 16))
        groups.append(UInt16(truncatingIfNeeded: address.bits))
        break
      }
      guard let group = Self.group(piece) else { return nil }
      groups.append(group)
      index = piece.endIndex
      guard index < bytes.count else { break }
      index += 1
      guard index < bytes.count else { return nil }
      if bytes[index] == Self.colon {
        guard gap == nil else { return nil }
        gap = groups.count
        index += 1
      }
    }
    guard let gap else {
      if groups.count == 8 { return }
      return nil
    }
    guard groups.count < 8 else { return nil }
    groups.insert(contentsOf: Array(repeating: 0, count: 8 - groups.count), at: gap)
  }

  private static let colon = UInt8(ascii: ":")

  private static func group(_ digits: ArraySlice<UInt8>) -> UInt16? {
    guard (1...4).contains(digits.count) else { return nil }
    var group: UInt16 = 0
    for byte in digits {
      guard let digit = byte.hexDigitValue else { return nil }
      group = group << 4 | UInt16(digit)
    }
    return group
  }

  /// The address in the form of RFC 5952: in lower case, with `::` for the longest run of two or
  /// more zero groups. If several runs have the same length, `::` replaces the first of them.
  package var text: String {
    var best = 0..<0
    var start = 0
    while start < 8 {
      guard groups[start] == 0 else {
        start += 1
        continue
      }
      let end = groups[start...].firstIndex { $0 != 0 } ?? 8
      if end - start > max(best.count, 1) { best = start..<end }
      start = end
    }
    func joined(_ range: Range<Int>) -> String {
      groups[range].map { String($0, radix: 16) }.joined(separator: ":")
    }
    if best.isEmpty { return joined(0..<8) }
    return joined(0..<best.lowerBound) + "::" + joined(best.upperBound..<8)
  }
}
