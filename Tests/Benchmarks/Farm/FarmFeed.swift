import Foundation

/// One feed of the farm. Its number and the number of its items determine all of its content.
struct FarmFeed {
  /// The date of the oldest items: 2026-01-01T00:00:00Z, in seconds since 1970.
  static let firstDate = 1_767_225_600
  static let bytesMin = 5_000.0
  static let bytesMax = 150_000.0
  /// The median of the feeds' sizes in bytes. The sizes have a log-normal distribution, limited to
  /// `bytesMin` and `bytesMax`.
  static let bytesMedian = 31_000.0
  static let bytesSpread = 0.75

  let number: Int
  let isAtom: Bool
  let isTextHeavy: Bool
  private(set) var itemCount = 0

  init(number: Int) {
    var generator = SeededGenerator(3, number)
    self.number = number
    isAtom = generator.below(10) < 3
    isTextHeavy = generator.below(10) < 4
    itemCount = Self.itemCount(of: self, bytes: Self.bytes(&generator))
  }

  var path: String { "f\(number).xml" }

  /// The hostnames of the feeds' addresses.
  enum Hosts: String, CaseIterable {
    /// One hostname for each feed. No connection can be used again.
    case own = "each its own"
    /// 100 hostnames, so that requests to one hostname can share a connection.
    case shared = "100"
  }

  func hostname(_ hosts: Hosts) -> String {
    "h\(hosts == .own ? number : number % 100).localhost"
  }

  /// Adds one to three new items, like a site that has published something. Returns the number of
  /// new items.
  mutating func grow(round: Int) -> Int {
    var generator = SeededGenerator(4, number, round)
    let added = generator.within(1...3)
    itemCount += added
    return added
  }

  /// Returns the items, newest first.
  func items() -> [FarmItem] { (0..<itemCount).reversed().map { FarmItem($0, of: self) } }

  private static func bytes(_ generator: inout SeededGenerator) -> Double {
    let radius = (-2 * log(1 - generator.fraction())).squareRoot()
    let normal = radius * cos(2 * .pi * generator.fraction())
    return min(bytesMax, max(bytesMin, bytesMedian * exp(bytesSpread * normal)))
  }

  /// Returns the number of items in a feed of about `bytes` bytes, at least one.
  private static func itemCount(of feed: FarmFeed, bytes: Double) -> Int {
    var document = FeedDocument(feed)
    var count = 0
    repeat {
      document.append(FarmItem(count, of: feed))
      count += 1
    } while Double(document.bytes.count) < bytes
    return count
  }
}
