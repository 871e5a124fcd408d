/// A job's demand on the budget: the square root of half its weighted rate, by hour of weekdays and
/// weekends. It is stored in steps of 2^(1/8), so that subtracting undoes adding exactly.
struct DemandLevels: Equatable, Sendable {
  private(set) var levels: [UInt8]

  /// Creates a demand of zero.
  init() { levels = [UInt8](repeating: 0, count: AdaptiveShared.hourCount) }

  init?(levels: [UInt8]) {
    guard levels.count == AdaptiveShared.hourCount else { return nil }
    self.levels = levels
  }

  init(_ values: [Double]) {
    levels = values.map { value in
      let level = Exponential.log(max(value, 1e-9)) / 0.693_147_180_559_945_3 * 8 + 200
      return UInt8(min(max(level.rounded(), 0), 255))
    }
  }

  subscript(index: Int) -> Double { Self.values[Int(levels[index])] }

  private static let values: [Double] = (0..<256).map { level in
    level == 0 ? 0 : Exponential.exp((Double(level) - 200) / 8 * 0.693_147_180_559_945_3)
  }
}
