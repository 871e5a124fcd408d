import FetchValues

/// A pattern for the servers that a grant allows: a hostname, an IP address, `*` for every host, or
/// `*.example.org`. The last form matches every name below example.org, but not example.org itself.
/// The pattern may have a scheme and a port.
///
/// A plain hostname allows the default ports of http and https. `example.org:8080` allows only that
/// port, and `example.org:*` allows every port. Both allow http and https. `https://example.org`
/// and `https://example.org:8443` each allow one origin. Names must be ASCII. They are compared in
/// lower case, without a trailing dot. An IPv6 address may have brackets, and needs them before a
/// port.
package struct HostPattern: Hashable, Sendable {
  package enum Ports: Hashable, Sendable {
    /// The default port of the scheme, or the default ports of both schemes for a pattern without a
    /// scheme.
    case usual
    case one(UInt16)
    case all
  }

  /// The pattern as it is shown and stored.
  package let text: String
  /// The part that is compared with a hostname, in lower case. An IPv6 address has no brackets
  /// here.
  package let name: String
  /// The scheme; nil for both http and https.
  package let scheme: TargetURL.Scheme?
  package let ports: Ports

  /// Parses a pattern: a hostname, an IP address, `*.example.org` or `*`, with an optional scheme
  /// and port. The result is nil for any other text.
  package init?(_ text: String) {
    let (scheme, rest) = Self.schemeAndRest(text)
    guard let (host, ports) = Self.hostAndPorts(rest) else { return nil }
    if host == "*" {
      self.init(name: host, isV6: false, scheme, ports)
      return
    }
    let isSubtree = host.hasPrefix("*.")
    let name = isSubtree ? String(host.dropFirst(2)) : host
    let bracketed = IPAddress(name)?.isV6 == true ? "[\(name)]" : name
    guard let parsed = try? TargetHost(Array(bracketed.utf8)[...]),
      !isSubtree || parsed.address == nil
    else { return nil }
    self.init(
      name: isSubtree ? "*." + parsed.name : parsed.name, isV6: parsed.address?.isV6 == true,
      scheme, ports)
  }

  private init(
    name: String, isV6: Bool, _ scheme: TargetURL.Scheme? = nil, _ ports: Ports = .usual
  ) {
    self.name = name
    self.scheme = scheme
    // A scheme with its default port is written without the port.
    let isUsual = scheme.map { ports == .one($0.defaultPort) } ?? false
    self.ports = isUsual ? .usual : ports
    let isBracketed = isV6 && (scheme != nil || self.ports != .usual)
    let host = (scheme.map { $0.rawValue + "://" } ?? "") + (isBracketed ? "[\(name)]" : name)
    switch self.ports {
    case .usual: text = host
    case .one(let port): text = host + ":" + port.description
    case .all: text = host + ":*"
    }
  }

  /// Returns the patterns for a grant of the address: the hostname, and the hostname with its port
  /// if the port is not the default. The result is empty for a `file:` address, which has no
  /// hostname.
  package static func all(of target: TargetURL) -> [HostPattern] {
    if target.scheme == .file { return [] }
    let host = HostPattern(name: target.hostname, isV6: target.isV6)
    return if let port = port(of: target) { [host, port] } else { [host] }
  }

  /// Returns the pattern for an address's hostname and port; nil for the default port.
  private static func port(of target: TargetURL) -> HostPattern? {
    if target.port == target.scheme.defaultPort { return nil }
    return HostPattern(name: target.hostname, isV6: target.isV6, nil, .one(target.port))
  }

  /// Whether the pattern has neither a scheme nor a port. It may contain a wildcard.
  package var isHostnameAlone: Bool { scheme == nil && ports == .usual }

  /// Whether the pattern allows a request to the address.
  package func matches(_ target: TargetURL) -> Bool {
    guard target.scheme != .file, scheme == nil || scheme == target.scheme else { return false }
    return opens(target.port) && matches(hostname: target.hostname)
  }

  /// Whether the name in the pattern matches the hostname. The scheme and the port are not checked.
  /// The hostname must have the form of `TargetURL.hostname`.
  package func matches(hostname: String) -> Bool {
    if name == "*" { return true }
    guard name.hasPrefix("*.") else { return hostname.hasSameBytes(as: name) }
    let suffix = name.utf8.dropFirst(1)
    return hostname.utf8.count > suffix.count
      && hostname.utf8.suffix(suffix.count).elementsEqual(suffix)
  }

  private func opens(_ port: UInt16) -> Bool {
    switch ports {
    case .usual: isUsual(port)
    case .one(let own): own == port
    case .all: true
    }
  }

  private var usualPorts: [UInt16] {
    (scheme.map { [$0] } ?? [.http, .https]).map(\.defaultPort)
  }

  /// Whether `usualPorts` contains the port.
  private func isUsual(_ port: UInt16) -> Bool {
    if let scheme { return port == scheme.defaultPort }
    return port == TargetURL.Scheme.http.defaultPort || port == TargetURL.Scheme.https.defaultPort
  }
}

// MARK: Reading

extension HostPattern {
  private static func schemeAndRest(_ text: String) -> (TargetURL.Scheme?, Substring) {
    for scheme in [TargetURL.Scheme.http, .https] {
      let start = scheme.rawValue + "://"
      if text.utf8.count > start.utf8.count,
        text.prefix(start.utf8.count).asciiLowercased.hasSameBytes(as: start)
      {
        return (scheme, text.dropFirst(start.utf8.count))
      }
    }
    return (nil, text[...])
  }

  /// Splits a text into a host and ports. The result is nil if the port is invalid. It is also nil
  /// if brackets contain no IPv6 address, or if anything but a port follows them. An IPv6 address
  /// without brackets has no port.
  private static func hostAndPorts(_ text: Substring) -> (host: String, ports: Ports)? {
    if IPAddress(String(text))?.isV6 == true { return (String(text), .usual) }
    let bytes = text.utf8
    if bytes.first == UInt8(ascii: "["), let end = bytes.firstIndex(of: UInt8(ascii: "]")) {
      let host = String(text[bytes.index(after: bytes.startIndex)..<end])
      guard IPAddress(host)?.isV6 == true else { return nil }
      let rest = text[bytes.index(after: end)...]
      if rest.isEmpty { return (host, .usual) }
      guard rest.utf8.first == UInt8(ascii: ":") else { return nil }
      return ports(rest.dropFirst()).map { (host, $0) }
    }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
      return (String(text), .usual)
    }
    return ports(text[bytes.index(after: colon)...]).map { (String(text[..<colon]), $0) }
  }

  private static func ports(_ digits: Substring) -> Ports? {
    if digits.hasSameBytes(as: "*") { return .all }
    guard 1...5 ~= digits.utf8.count, digits.utf8.allSatisfy(\.isASCIIDigit),
      digits.utf8.first != UInt8(ascii: "0"), let port = UInt16(digits)
    else { return nil }
    return .one(port)
  }
}

// MARK: Comparing

extension HostPattern {
  /// Whether the pattern matches every address that the other pattern matches.
  package func covers(_ other: HostPattern) -> Bool {
    guard scheme == nil || scheme == other.scheme else { return false }
    return covers(portsOf: other) && covers(namesOf: other)
  }

  /// Returns the patterns as a text for people. A pattern that another pattern covers is left out.
  package static func list(_ patterns: [HostPattern]) -> String {
    patterns.indices.filter { index in
      !patterns.indices.contains { other in
        // If two patterns cover each other, the first one is kept.
        other != index && patterns[other].covers(patterns[index])
          && (other < index || !patterns[index].covers(patterns[other]))
      }
    }.map { patterns[$0].text }.joined(separator: ", ")
  }

  private func covers(portsOf other: HostPattern) -> Bool {
    switch other.ports {
    case .usual: other.usualPorts.allSatisfy(opens)
    case .one(let port): opens(port)
    case .all: ports == .all
    }
  }

  private func covers(namesOf other: HostPattern) -> Bool {
    if name == "*" || name.hasSameBytes(as: other.name) { return true }
    guard other.name.hasPrefix("*.") else { return matches(hostname: other.name) }
    return name.hasPrefix("*.") && matches(hostname: String(other.name.dropFirst(2)))
  }

  /// Returns `patterns`, and a pattern with hostname and port for each address whose port is not
  /// the default. An address is skipped unless a pattern with neither scheme nor port matches its
  /// hostname. No pattern is added twice.
  package static func opened(
    _ patterns: [HostPattern], at addresses: [TargetURL]
  ) -> [HostPattern] {
    var opened = patterns
    for address in addresses {
      guard let port = port(of: address), !opened.contains(port) else { continue }
      let isOpen = patterns.contains {
        $0.isHostnameAlone && $0.matches(hostname: address.hostname)
      }
      if isOpen { opened.append(port) }
    }
    return opened
  }
}

extension TargetURL {
  fileprivate var isV6: Bool { address?.isV6 == true }
}

extension HostPattern {
  /// Returns the part of an address that is not granted. This part is the hostname, or the hostname
  /// with the port or scheme if the hostname is granted for other ports or schemes.
  package static func missingPlace(of target: TargetURL, in hosts: [HostPattern]) -> String {
    guard hosts.contains(where: { $0.matches(hostname: target.hostname) }) else {
      return target.hostname
    }
    return target.port == target.scheme.defaultPort ? target.origin : target.authority
  }

  /// Returns the entry of `permissions.http` that a plugin lacks for an address. The entry includes
  /// a port that is not the default. With the default port, it includes the scheme if the hostname
  /// is already granted for other ports or schemes.
  package static func needed(for target: TargetURL, in hosts: [HostPattern]) -> String {
    let place = missingPlace(of: target, in: hosts)
    let isUsual = target.port == target.scheme.defaultPort
    return place == target.hostname && !isUsual ? target.authority : place
  }
}
