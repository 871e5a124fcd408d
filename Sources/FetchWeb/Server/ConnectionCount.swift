/// The connections of the server, by address. Used by the event loop's thread only.
struct ConnectionCount {
  private var total = 0
  private var byAddress: [WebPeer: Int] = [:]

  /// Returns false if there are too many connections, of all clients or of one.
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
