/// The limits for requests to one hostname.
package struct LaneRule: Hashable, Sendable {
  /// The maximum number of concurrent requests.
  package var connectionsMax = 1
  /// The minimum time between the starts of two requests.
  package var gap: Duration = .seconds(1)

  package init() {}

  package static let connectionsMaxAllowed = 64
  package static let gapMax: Duration = .seconds(86_400)
}

/// The lane rules of a config: for single hostnames, for all hostnames below a domain
/// (`*.example.org`), and for all other hostnames (`*`).
package struct LaneRules: Hashable, Sendable {
  private var exact: [String: LaneRule] = [:]
  /// The rules for `*.example.org` and similar patterns, the longest pattern first.
  private var subtrees: [(pattern: HostPattern, rule: LaneRule)] = []
  private var others = LaneRule()

  package init() {}

  package mutating func set(_ rule: LaneRule, for pattern: HostPattern) {
    if pattern.text == "*" {
      others = rule
    } else if pattern.text.hasPrefix("*.") {
      subtrees.removeAll { $0.pattern == pattern }
      subtrees.append((pattern, rule))
      subtrees.sort { $0.pattern.text.utf8.count > $1.pattern.text.utf8.count }
    } else {
      exact[pattern.text] = rule
    }
  }

  /// Returns the rule for a hostname. The hostname is in the form of `TargetURL`: lower case, no
  /// brackets.
  package func rule(for hostname: String) -> LaneRule {
    exact[hostname] ?? subtrees.first { $0.pattern.matches(hostname: hostname) }?.rule ?? others
  }

  package static func == (left: LaneRules, right: LaneRules) -> Bool {
    left.exact == right.exact && left.others == right.others
      && left.subtrees.elementsEqual(right.subtrees) { $0 == $1 }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(exact)
    hasher.combine(others)
    for subtree in subtrees { hasher.combine(subtree.pattern) }
  }
}
