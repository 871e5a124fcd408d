/// Which addresses that are not globally routable (private, loopback, link-local, metadata ...) may
/// be reached. Those that are routable always may, by their names.
package enum PrivateAddresses: Hashable, Sendable {
  case none
  case within([AddressBlock])
  case all

  /// Whether a connection to the address may be used.
  package func admits(_ address: IPAddress) -> Bool {
    switch self {
    case .all: true
    case .none: AddressClass(address) == .global
    case .within(let blocks):
      AddressClass(address) == .global || blocks.contains { $0.contains(address) }
    }
  }

  /// Whether a name that is always this machine's may be tried; the address is checked as well.
  var admitsLoopback: Bool {
    self == .all || Self.loopback.contains(where: admits)
  }

  private static let loopback = ["127.0.0.1", "::1"].compactMap(IPAddress.init)

  /// What is admitted by either.
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
