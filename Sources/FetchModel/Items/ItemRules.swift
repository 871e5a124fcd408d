/// The rules for the identity and comparison of items, from `items` in a manifest.
package struct ItemRules: Equatable, Sendable {
  package var identity: ItemIdentity = .automatic
  /// The names of the fields whose change is not news, such as fields with counters, tokens or
  /// advertisements. Each name is a standard field, such as `title`, or a field of the plugin's
  /// own.
  package var ignore: [String] = []
  package var firstRun: FirstRunRule = .all
  /// Whether an item that a result lacks counts as removed. The result must be whole: see
  /// `Diff.decide`.
  package var complete = false

  package init() {}
}

/// The rule for which items of a job's first run are news.
package enum FirstRunRule: Hashable, Sendable {
  case all
  /// No item is news. The items are only stored.
  case baseline
  /// The given number of newest items are news. The other items are only stored.
  case latest(Int)
}

extension FirstRunRule {
  /// Parses `all`, `baseline` and `latest:N` where N is at least 1; nil for any other text.
  package init?(_ text: String) {
    switch text {
    case "all": self = .all
    case "baseline": self = .baseline
    default:
      let digits = text.dropFirst(Self.latest.utf8.count)
      guard text.hasPrefix(Self.latest), digits.allSatisfy(\.isASCII),
        digits.allSatisfy(\.isNumber), let count = Int(digits), count > 0
      else { return nil }
      self = .latest(count)
    }
  }

  private static let latest = "latest:"

  /// The rule as it is written in a manifest or a config.
  package var text: String {
    switch self {
    case .all: "all"
    case .baseline: "baseline"
    case .latest(let count): Self.latest + String(count)
    }
  }

  /// Returns a phrase for the effect of this rule on the first run. With `ofMany`, the phrase is
  /// about the first runs of several jobs.
  package func sentence(ofMany: Bool = false) -> String {
    let run = ofMany ? "each first run" : "its first run"
    return switch self {
    case .all: "all items of \(run) are news"
    case .baseline: "the items of \(run) are stored and are not news"
    case .latest(1): "only the newest item of \(run) is news"
    case .latest(let count): "only the newest \(count) items of \(run) are news"
    }
  }
}
