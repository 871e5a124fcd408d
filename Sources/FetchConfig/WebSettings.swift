package import FetchModel

/// The settings of the web process, from the config.
package struct WebSettings: Equatable, Sendable {
  /// A part of the web process that the config can open to requests without a token.
  package enum Open: String, CaseIterable, Sendable { case health, metrics, feeds }

  /// The jobs for which there are separate metrics.
  package enum MetricsJobs: Equatable, Sendable {
    /// The first jobs in the order of their names, up to the given number.
    case first(Int)
    case named([String])
  }

  /// The addresses on which the process listens in addition to the unix socket, such as
  /// `127.0.0.1:7397`.
  package var listen: [ListenAddress] = ListenAddress.usual
  /// The public address of the web process; nil if there is none.
  package var url: String?
  /// Further hostnames that the header `Host` of a request may have.
  package var hosts: [String] = []
  /// The addresses of the proxies that log users in.
  package var proxyFrom: [AddressBlock] = []
  /// The name of the header field in which the proxies send the name of the logged-in user; nil if
  /// there is none.
  package var proxyUser: String?
  package var anonymous: Set<Open> = [.health]
  package var metricsJobs = MetricsJobs.first(metricsJobsUsual)
  /// The time without a connection after which the process ends; nil for never. It applies only to
  /// a process that a systemd socket started.
  package var idleExitTimeout: Duration?

  package static let metricsJobsUsual = 200
  package static let metricsJobsMax = 10_000

  package init() {}
}

/// An address with a port, such as `127.0.0.1:7397` or `[::1]:7397`.
package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
  package var address: IPAddress
  package var port: Int

  package static let portUsual = 7397
  package static let usual = ["127.0.0.1:7397", "[::1]:7397"].compactMap {
    try? ListenAddress(parsing: $0)
  }

  package init(parsing text: String) throws(ListenAddressError) {
    let error = ListenAddressError(text: text)
    guard let colon = text.lastIndex(of: ":") else { throw error }
    var host = text[..<colon]
    let digits = text[text.index(after: colon)...]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    if isBracketed { host = host.dropFirst().dropLast() }
    guard let address = IPAddress(String(host)), address.isV6 == isBracketed,
      (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }),
      let port = Int(digits), port <= 65535
    else { throw error }
    self.address = address
    self.port = port
  }

  package var description: String { address.isV6 ? "[\(address)]:\(port)" : "\(address):\(port)" }
}

/// The reason why a text is not an address with a port.
package struct ListenAddressError: Error, Equatable, CustomStringConvertible {
  var text: String

  package var description: String {
    "'\(text.prefix(60))' is not an IP address with a port: use one such as 127.0.0.1:7397"
      + " or [::1]:7397"
  }
}
