import CHost
package import FetchModel

/// The limit on open file descriptors of this process (getrlimit(2), RLIMIT_NOFILE).
package enum DescriptorLimit {
  /// The minimum usable limit. With a lower limit, a process that runs jobs would fail when it
  /// opens a file later, sometimes silently inside a library. An idle daemon uses about 30
  /// descriptors: for streams, timers, signals, the store, its socket, and watches of network,
  /// clock and files. The remaining descriptors are enough for a few dozen workers and requests.
  package static let countMin = 256

  /// The desired limit: more descriptors than are ever open at the same time. Each of the two HTTP
  /// engines may have 256 requests, most of which may try two addresses, and 256 connections kept
  /// for reuse. In addition, there are 64 workers, 64 job folders, 32 connections at the control
  /// socket, 16 hooks with four descriptors each, and the descriptors of an idle daemon.
  package static let countWanted = 2048

  /// Raises the soft limit to `countWanted`, or to the hard limit if the hard limit is lower. Hooks
  /// and secret commands start with the previous soft limit. Returns the new limit; throws if it is
  /// lower than `countMin`.
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
