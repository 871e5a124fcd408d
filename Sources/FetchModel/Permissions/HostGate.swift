/// Whether a run may go to an address at all: by the names and ports it was granted, before any
/// look-up.
package enum HostGate {
  private static let namesShownMax = 5
  private static let closedHost = "the plugin may not reach "

  /// Whether a refusal is about the hostname or the port, and not about a private address.
  package static func isAboutHost(_ refusal: Failure) -> Bool {
    refusal.code == .permission && refusal.message.hasPrefix(closedHost)
  }

  /// nil when the address may be tried. Names that resolve to somewhere private are caught later,
  /// on the address really connected to.
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

  /// Of addresses at hostnames that are granted, those whose port or scheme is not; the first of each
  /// origin, in their order.
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

  /// Why a name must not be connected to, once it is known where it leads.
  package static func refusal(of hostname: String, at address: IPAddress) -> Failure {
    let kind = AddressClass(address)
    let place = hostname == address.description ? hostname : "\(hostname) (\(address))"
    return Failure(.permission, "\(place) is \(kind.phrase); \(hint)")
  }

  private static let hint = "allow it with --allow-private, or allow_private in the config"

  /// The words of a refusal for what no job asks, and another key allows.
  package static func message(of refusal: Failure, allowedBy key: String) -> String {
    refusal.message.replacing(hint, with: Self.hint(key))
  }

  /// What to write in the config where an address is refused to a hook.
  package static func hint(_ key: String) -> String {
    "add its address, or a block that has it, to \(key) in the config"
  }

  /// RFC 6761 section 6.3: these are loopback whatever a resolver, or a proxy's, says.
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
