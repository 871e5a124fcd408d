/// The check of an address against the granted hostnames and ports, before any DNS lookup.
package enum HostGate {
  private static let namesShownMax = 5
  private static let closedHost = "the plugin or hook may not reach "

  /// Whether an address was refused because of its hostname, port or scheme, and not because the
  /// address is private.
  package static func isAboutHost(_ refusal: Failure) -> Bool {
    refusal.code == .permission && refusal.message.hasPrefix(closedHost)
  }

  /// Returns a failure if a run may not connect to an address; nil if the run may try to connect.
  /// The addresses to which a hostname resolves are not checked here. A connection without a proxy
  /// checks them.
  package static func check(_ target: TargetURL, _ grant: Grant) -> Failure? {
    guard grant.hosts.contains(where: { $0.matches(target) }) else {
      let place = HostPattern.missingPlace(of: target, in: grant.hosts)
      let needed = HostPattern.needed(for: target, in: grant.hosts)
      return Failure(
        .permission,
        "\(closedHost)\(place) (granted: \(granted(grant.hosts))); "
          + "add \"\(needed)\" to its permissions.http, or to `hosts` in the config")
    }
    if let address = target.address {
      return grant.privateAddresses.admits(address)
        ? nil : refusal(of: address.description, at: address)
    }
    guard isLocalName(target.hostname), !grant.privateAddresses.admitsLoopback else { return nil }
    return Failure(.permission, "\(target.hostname) is this machine; \(hint)")
  }

  /// Returns the addresses whose hostname is granted, but whose port or scheme is not granted. The
  /// result has the first such address of each origin, in order.
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

  /// Returns the failure for a hostname whose address is not allowed.
  package static func refusal(of hostname: String, at address: IPAddress) -> Failure {
    let kind = AddressClass(address)
    let place = hostname == address.description ? hostname : "\(hostname) (\(address))"
    return Failure(.permission, "\(place) is \(kind.phrase); \(hint)")
  }

  private static let hint =
    "allow it with `--allow-private`, or with `allow_private` in the config or the case file"

  /// Returns the message of a refusal for a request that belongs to no job. Its advice about a
  /// private address names the given config key.
  package static func message(of refusal: Failure, allowedBy key: String) -> String {
    refusal.message.replacing(hint, with: Self.hint(key))
  }

  /// Returns the advice for a refused private address: what to add to the given key of the config.
  package static func hint(_ key: String) -> String {
    "add the address, or a block that contains it, to \(key) in the config"
  }

  /// Whether a hostname always means this machine, regardless of the answers of resolvers and
  /// proxies (RFC 6761 section 6.3).
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
