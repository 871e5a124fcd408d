/// The exponential function and the natural logarithm, with results that are bit for bit the same
/// on every machine. A decision can therefore be repeated on any machine. The relative error is
/// below 1e-13.
enum Exponential {
  private static let ln2 = 0.693_147_180_559_945_3
  /// The largest argument of `exp`. A greater argument counts as this value. The result is 0 for
  /// arguments of `-argumentMax` or less.
  private static let argumentMax = 700.0

  static func exp(_ x: Double) -> Double {
    guard x > -argumentMax else { return 0 }
    let x = min(x, argumentMax)
    let power = (x / ln2).rounded()
    let r = x - power * ln2
    // The Taylor series by Horner's method.
    var sum = 1 + r * (1.0 / 12)
    sum = 1 + r * (1.0 / 11) * sum
    sum = 1 + r * (1.0 / 10) * sum
    sum = 1 + r * (1.0 / 9) * sum
    sum = 1 + r * (1.0 / 8) * sum
    sum = 1 + r * (1.0 / 7) * sum
    sum = 1 + r * (1.0 / 6) * sum
    sum = 1 + r * (1.0 / 5) * sum
    sum = 1 + r * (1.0 / 4) * sum
    sum = 1 + r * (1.0 / 3) * sum
    sum = 1 + r * (1.0 / 2) * sum
    sum = 1 + r * sum
    return Double(sign: .plus, exponent: Int(power), significand: sum)
  }

  /// Returns the natural logarithm of a positive, normal number. For any other number, including
  /// infinity, the result is the logarithm of the smallest normal number.
  static func log(_ x: Double) -> Double {
    let x = x.isFinite ? max(x, .leastNormalMagnitude) : Double.leastNormalMagnitude
    var exponent = Double(x.exponent)
    var mantissa = x.significand
    if mantissa > 1.414_213_562_373_095 {
      mantissa /= 2
      exponent += 1
    }
    let s = (mantissa - 1) / (mantissa + 1)
    let square = s * s
    var sum = 0.0
    var divisor = 21.0
    while divisor >= 1 {
      sum = sum * square + 1 / divisor
      divisor -= 2
    }
    return 2 * s * sum + exponent * ln2
  }
}
