import CHost
package import FetchModel

/// The limit of open file descriptors of this process (getrlimit(2), RLIMIT_NOFILE).
package enum DescriptorLimit {
  /// The lowest usable limit. Below it, a process that runs jobs fails at any later open, sometimes
  /// silently in a library. An idle daemon has some 30: streams, timers, signals, the store, its
  /// socket, and watches of network, clock and files. The rest is for a few dozen workers and
  /// requests.
  package static let countMin = 256

  /// More than are ever open together: 256 requests for each of the two HTTP engines, most of which
  /// may try two addresses, and 256 connections kept for reuse; 64 workers; 64 job folders; 32
  /// connections at the control socket; 16 hooks with four each; and the descriptors of an idle
  /// daemon.
  package static let countWanted = 2048

  /// Raises the soft limit to the wanted one, as far as the hard limit allows. Hooks and secret
  /// commands start with the previous soft limit. Returns the limit; throws if it is too low.
  @discardableResult
  package static func raise() throws(Failure) -> Int {
    let count = Int(clamping: raise_descriptor_limit(UInt(countWanted)))
    guard count >= countMin else {
      throw Failure(
        .internalError,
        "too few file descriptors: the limit is \(count), and \(countMin) are needed; raise it with"
          + " `ulimit -n \(countMin)`, or with LimitNOFILE=\(countMin) in a systemd unit")
    }
    return count
  }
}
