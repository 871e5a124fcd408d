import CHost
package import FetchModel

/// How many file descriptors this process may have open (getrlimit(2), RLIMIT_NOFILE).
package enum DescriptorLimit {
  /// With fewer, a process that runs jobs fails wherever it opens something next, in libraries
  /// without a word. An idle daemon has some 30: streams, timers, signals, the store, its socket,
  /// watches of network, clock and files. The rest is for a few dozen workers and requests.
  package static let countMin = 256

  /// More than all that is ever open at once: for each of the two HTTP engines 256 requests at work,
  /// most of which may try two addresses, and 256 connections kept for reuse; 64 workers; 64 job
  /// folders; 32 askers at the control socket; 16 hooks with four each; what an idle daemon has.
  package static let countWanted = 2048

  /// Raises the soft limit to what is wanted, as far as the hard limit lets it. Hooks and secret
  /// commands are started with the soft limit of before. Returns the limit; throws where it is too
  /// low.
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
