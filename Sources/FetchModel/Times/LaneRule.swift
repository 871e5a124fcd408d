/// How politely one hostname is asked.
package struct LaneRule: Hashable, Sendable {
  /// Requests under way at once.
  package var connectionsMax = 1
  /// From the start of one request to the start of the next.
  package var gap: Duration = .seconds(1)

  package init() {}

  package static let connectionsMaxAllowed = 64
  package static let gapMax: Duration = .seconds(86_400)
}

/// The lane rules of a config: for a hostname, for all below a name (`*.example.org`), for all
/// others (`*`).
package struct LaneRules: Hashable, Sendable {
  private var exact: [String: LaneRule] = [:]
  /// Subtrees, the longest first.
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

  /// Takes a hostname as `TargetURL` has it: lower case, no brackets.
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
