import Testing

@testable import FetchSchedule

@Suite struct ExponentialTests {
  @Test(arguments: [
    (0.0, 1.0), (1, 2.718281828459045), (-1, 0.36787944117144233), (10, 22026.465794806718),
    (-30.5, 5.675685232632723e-14), (0.5, 1.6487212707001282),
  ])
  func `exp matches published tables`(x: Double, value: Double) {
    #expect(abs(Exponential.exp(x) / value - 1) < 1e-12)
    #expect(abs(Exponential.log(value) - x) < 1e-12 * max(1, abs(x)))
  }

  @Test func `no argument traps`() {
    for x in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 0, -1] {
      #expect(Exponential.exp(x).isFinite)
      #expect(Exponential.log(x).isFinite)
    }
  }
}
