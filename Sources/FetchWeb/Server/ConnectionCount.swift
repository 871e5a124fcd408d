/// The number of the server's connections, in total and by address. Only the event loop's thread
/// uses it.
struct ConnectionCount {
  private var total = 0
  private var byAddress: [WebPeer: Int] = [:]

  /// Counts a new connection. Returns false if all clients together already have the maximum number
  /// of connections. Also returns false if the client's address already has its maximum; clients on
  /// this machine have no maximum of their own.
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
