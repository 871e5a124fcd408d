/// The check whether a run may use an address, by the granted names and ports, before any look-up.
package enum HostGate {
  private static let namesShownMax = 5
  private static let closedHost = "the plugin may not reach "

  /// Whether a refusal is about the hostname or the port, and not about a private address.
  package static func isAboutHost(_ refusal: Failure) -> Bool {
    refusal.code == .permission && refusal.message.hasPrefix(closedHost)
  }

  /// Returns nil if the address may be tried. Names that resolve to private addresses are caught
  /// later, at the actual connection.
  package static func check(_ target: TargetURL, _ grant: Grant) -> Failure? {
    guard grant.hosts.contains(where: { $0.matches(target) }) else {
      let place = HostPattern.missingPlace(of: target, in: grant.hosts)
      let needed = HostPattern.needed(for: target, in: grant.hosts)
      return Failure(
        .permission,
        "\(closedHost)\(place) (granted: \(granted(grant.hosts))); "
          + "add \"\(needed)\" to permissions.http of the plugin")
    }
    if let address = target.address {
      return grant.privateAddresses.admits(address)
        ? nil : refusal(of: address.description, at: address)
    }
    guard isLocalName(target.hostname), !grant.privateAddresses.admitsLoopback else { return nil }
    return Failure(.permission, "\(target.hostname) is this machine; \(hint)")
  }

  /// Returns the addresses at granted hostnames whose port or scheme is not granted; the first one
  /// of each origin, in order.
  package static func closed(_ addresses: [TargetURL], in hosts: [HostPattern]) -> [TargetURL] {
    var closed: [TargetURL] = []
    for address in addresses
    where hosts.contains(where: { $0.matches(hostname: address.hostname) })
      && !hosts.contains(where: { $0.matches(address) })
      && !closed.contains(where: { $0.isSameOrigin(as: address) })
    {
      closed.append(address)
    }
    return closed
  }

  /// Returns the refusal to connect to a name that resolves to that address.
  package static func refusal(of hostname: String, at address: IPAddress) -> Failure {
    let kind = AddressClass(address)
    let place = hostname == address.description ? hostname : "\(hostname) (\(address))"
    return Failure(.permission, "\(place) is \(kind.phrase); \(hint)")
  }

  private static let hint = "allow it with --allow-private, or allow_private in the config"

  /// Returns the message of a refusal for requests without a job, which another config key allows.
  package static func message(of refusal: Failure, allowedBy key: String) -> String {
    refusal.message.replacing(hint, with: Self.hint(key))
  }

  /// Returns what to write in the config if a hook's address is refused.
  package static func hint(_ key: String) -> String {
    "add its address, or a block that has it, to \(key) in the config"
  }

  /// Whether a name is loopback whatever a resolver or a proxy answers (RFC 6761 section 6.3).
  private static func isLocalName(_ hostname: String) -> Bool {
    hostname == "localhost" || hostname.hasSuffix(".localhost")
  }

  private static func granted(_ hosts: [HostPattern]) -> String {
    if hosts.isEmpty { return "nothing" }
    let shown = hosts.prefix(namesShownMax).map(\.text).joined(separator: ", ")
    let more = hosts.count - namesShownMax
    return more > 0 ? "\(shown) and \(more) more" : shown
  }
}
