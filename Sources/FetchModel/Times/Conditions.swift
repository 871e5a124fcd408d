import FetchValues

/// The conditions for the scheduled start of a job.
package struct Conditions: Hashable, Sendable {
  package var needsNetwork = false
  package var needsACPower = false
  /// The limit below which the one-minute load average must be.
  package var loadMax: Double?

  package init() {}

  /// The forms of conditions, for messages and the reference.
  package static let examples = ["network", "ac-power", "load below 4"]

  /// Adds a condition as a config writes it.
  package mutating func add(parsing text: String) throws(ScheduleTextError) {
    switch text {
    case "network": needsNetwork = true
    case "ac-power": needsACPower = true
    default:
      guard let load = Self.load(text) else {
        throw ScheduleTextError(
          "\(ScheduleTextError.quoted(text)) is not a condition"
            + "\(NearestName.hint(text, among: Self.examples)); use network, ac-power or"
            + " load below NUMBER")
      }
      loadMax = min(loadMax ?? load, load)
    }
  }

  /// Returns a load written in digits, with an optional fraction.
  private static func load(_ text: String) -> Double? {
    let words = text.split(separator: " ")
    guard words.count == 3, words[0] == "load", words[1] == "below" || words[1] == "<",
      isDecimal(words[2]), let load = Double(words[2]), load > 0, load <= 10_000
    else { return nil }
    return load
  }

  private static func isDecimal(_ text: Substring) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }
  }
}
