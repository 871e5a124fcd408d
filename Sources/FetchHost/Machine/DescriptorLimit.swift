import CHost
package import FetchModel

/// The limit on open file descriptors of this process (getrlimit(2), RLIMIT_NOFILE).
package enum DescriptorLimit {
  /// The minimum usable limit. With a lower limit, a process that runs jobs could later fail to
  /// open a file. A library may hide this failure. An idle daemon uses about 30 descriptors. The
  /// remaining descriptors are enough for a few dozen workers and requests.
  package static let countMin = 256

  /// The desired limit. It is enough for the connections of the two HTTP engines, and for workers,
  /// job folders, control connections and hooks.
  package static let countWanted = 2048

  /// The present soft limit.
  package static var count: Int { Int(clamping: raise_descriptor_limit(0)) }

  /// Raises the soft limit to `countWanted`, or to the hard limit if the hard limit is lower. A
  /// higher soft limit stays unchanged. Hooks and secret commands get the previous soft limit.
  /// Returns the resulting soft limit; throws if that limit is lower than `countMin`.
  @discardableResult
  package static func raise() throws(Failure) -> Int {
    let count = Int(clamping: raise_descriptor_limit(UInt(countWanted)))
    guard count >= countMin else {
      throw Failure(
        .internalError,
        "too few file descriptors: the limit is \(count), and \(countMin) are needed; as root,"
          + " raise the hard limit with `ulimit -Hn \(countMin)`, or with LimitNOFILE=\(countMin)"
          + " in a systemd unit")
    }
    return count
  }
}
