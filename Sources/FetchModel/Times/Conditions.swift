import FetchValues

/// The conditions under which a scheduled run of a job may start.
package struct Conditions: Hashable, Sendable {
  package var needsNetwork = false
  package var needsACPower = false
  /// The limit for the one-minute load average. The run starts only below this limit.
  package var loadMax: Double?

  package init() {}

  /// Examples of conditions, for messages and the reference page.
  package static let examples = ["network", "ac-power", "load below 4"]

  /// Parses a condition from a config and adds the condition.
  package mutating func add(parsing text: String) throws(ScheduleTextError) {
    switch text {
    case "network": needsNetwork = true
    case "ac-power": needsACPower = true
    default:
      guard let load = Self.load(text) else {
        throw ScheduleTextError(
          "\(ScheduleTextError.quoted(text)) is not a condition"
            + "\(NearestName.hint(text, among: Self.examples)); use network, ac-power or"
            + " load below NUMBER (above 0 and at most 10000)")
      }
      loadMax = min(loadMax ?? load, load)
    }
  }

  /// Returns the number in a load condition; nil for any other text. The number has digits and an
  /// optional fraction. It must be above 0 and at most 10,000.
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
