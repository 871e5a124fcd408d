/// The conversion of hostnames and addresses to the form that is used for comparing and connecting.
enum URLHost {
  /// Returns the host of a URL whose scheme needs one: lower case, an IPv6 address in its canonical
  /// text. The result is nil for an invalid host, for numbers that only some resolvers read as an
  /// address, and for percent-escapes, because parsers disagree about them.
  static func canonical(_ host: String) -> String? {
    if host.utf8.first == UInt8(ascii: "[") { return canonicalAddress(host) }
    guard host.utf8.allSatisfy({ $0 >= 0x80 || !forbidden.contains($0) }) else { return nil }
    guard host.utf8.allSatisfy({ $0 < 0x80 }) else { return canonicalInternational(host) }
    let lowercased = host.asciiLowercased
    guard !lowercased.isEmpty, !endsInNumber(lowercased) || IPv4Address(lowercased.utf8) != nil
    else { return nil }
    return lowercased
  }

  /// Returns the host of a URL whose scheme does not need a host, with its bytes unchanged; nil if
  /// the host has forbidden bytes.
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
    return endsInNumber(joined) && IPv4Address(joined.utf8) == nil ? nil : joined
  }

  /// Whether the last label of the host is a number in any form. Resolvers that accept this form
  /// read the whole host as an address.
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
/// The only mapping is to lower case. Labels with characters that need another mapping
/// (compatibility forms, symbols, invisible characters) are rejected.
enum Punycode {
  /// Returns a label in its ASCII form; nil if the label has characters other than letters, marks,
  /// digits and `-`.
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
      // Compatibility forms of other letters: full width, mathematical, ligatures.
      !(0xF900...0xFFFF).contains(scalar.value) && !(0x1D400...0x1D7FF).contains(scalar.value)
    default: scalar == "-" || scalar == "_"
    }
  }

  /// Encodes characters according to RFC 3492 section 6.3. The numbers stay small, because a label
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
