/// The number of the server's connections, in total and by address. Only the event loop's thread
/// uses this count.
struct ConnectionCount {
  private var total = 0
  private var byAddress: [WebPeer: Int] = [:]

  /// Counts a new connection. Returns false without counting the connection if all clients
  /// together, or the client's address, already have the maximum number. A client for which
  /// `isLoopback` is true has no maximum of its own.
  mutating func add(_ peer: WebPeer) -> Bool {
    guard total < WebLimits.connectionsMax else { return false }
    let count = byAddress[peer, default: 0]
    guard peer.isLoopback || count < WebLimits.connectionsPerAddressMax else { return false }
    total += 1
    byAddress[peer] = count + 1
    return true
  }

  mutating func remove(_ peer: WebPeer) {
    total -= 1
    let count = byAddress[peer, default: 0] - 1
    byAddress[peer] = count > 0 ? count : nil
  }

  var isEmpty: Bool { total == 0 }
}
