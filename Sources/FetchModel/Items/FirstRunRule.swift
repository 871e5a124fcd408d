/// Which items of a job's first run are news.
package enum FirstRunRule: Equatable, Sendable {
  case all
  /// None: what is there already is only stored.
  case baseline
  /// That many of the newest; the others are only stored.
  case latest(Int)
}

extension FirstRunRule {
  /// Reads `all`, `baseline` and `latest:N` with N from 1 on; nil for anything else.
  package init?(_ text: String) {
    switch text {
    case "all": self = .all
    case "baseline": self = .baseline
    default:
      guard text.hasPrefix("latest:"), let count = Int(text.dropFirst("latest:".count)), count > 0
      else { return nil }
      self = .latest(count)
    }
  }
}
