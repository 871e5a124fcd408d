package import FetchModel

extension HostPattern {
  /// Patterns as they are written, but that those of loopback, and `*`, open every port: servers of
  /// tests have the one that the system gives them.
  package static func open(_ hosts: [String]) -> [HostPattern] {
    hosts.compactMap { host in
      let isOpen = host == "*" || host.hasPrefix("127.") || host.hasSuffix("localhost")
      return HostPattern(isOpen ? host + ":*" : host)
    }
  }
}
