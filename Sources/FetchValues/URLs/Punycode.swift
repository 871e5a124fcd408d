/// Labels of international hostnames in their ASCII form (RFC 3492, `xn--`).
///
/// Mapping is by lower case only: labels with characters that need more (compatibility forms,
/// symbols, invisible characters) are refused rather than mapped in a way of our own.
enum Punycode {
  /// The label in ASCII; nil where it holds characters other than letters, marks, digits and `-`.
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

  /// RFC 3492 section 6.3. The numbers stay small: a label has at most 63 scalars.
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
