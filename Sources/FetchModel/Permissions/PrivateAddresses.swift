/// The addresses that may be reached although their class is not `AddressClass.global`, such as
/// private, loopback, link-local and metadata addresses. A global address needs only a granted
/// hostname.
package enum PrivateAddresses: Hashable, Sendable {
  case none
  case within([AddressBlock])
  case all

  /// Whether a connection to the address is allowed.
  package func admits(_ address: IPAddress) -> Bool {
    switch self {
    case .all: true
    case .none: AddressClass(address) == .global
    case .within(let blocks):
      AddressClass(address) == .global || blocks.contains { $0.contains(address) }
    }
  }

  /// Whether a connection to `localhost`, or to a hostname below it, may be tried. A connection
  /// without a proxy also checks the address.
  var admitsLoopback: Bool {
    self == .all || Self.loopback.contains(where: admits)
  }

  private static let loopback = ["127.0.0.1", "::1"].compactMap(IPAddress.init)

  /// Returns the addresses that either this value or the other value admits.
  package func union(_ other: PrivateAddresses) -> PrivateAddresses {
    switch (self, other) {
    case (.all, _), (_, .all): .all
    case (.none, let some), (let some, .none): some
    case (.within(let blocks), .within(let others)):
      .within(blocks + others.filter { !blocks.contains($0) })
    }
  }
}

extension PrivateAddresses: ExpressibleByBooleanLiteral {
  package init(_ isAllowed: Bool) { self = isAllowed ? .all : .none }

  package init(booleanLiteral value: Bool) { self.init(value) }
}
