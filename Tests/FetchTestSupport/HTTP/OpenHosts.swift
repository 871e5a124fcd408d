package import FetchModel

extension HostPattern {
  /// Returns the patterns as written, except that those of loopback, and `*`, allow every port:
  /// test servers have a random one.
  package static func open(_ hosts: [String]) -> [HostPattern] {
    hosts.compactMap { host in
      let isOpen = host == "*" || host.hasPrefix("127.") || host.hasSuffix("localhost")
      return HostPattern(isOpen ? host + ":*" : host)
    }
  }
}
