/// The exponential function and the natural logarithm, the same to the last bit on every machine,
/// so that a decision can be repeated anywhere; relative error below 1e-13.
enum Exponential {
  private static let ln2 = 0.693_147_180_559_945_3
  /// Beyond it the result is zero or, for positive arguments, that of the bound.
  private static let argumentMax = 700.0

  static func exp(_ x: Double) -> Double {
    guard x > -argumentMax else { return 0 }
    let x = min(x, argumentMax)
    let power = (x / ln2).rounded()
    let r = x - power * ln2
    // Taylor's sum by Horner; the compiler folds the quotients.
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

  /// For arguments that are not positive numbers the logarithm of the least normal number.
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
