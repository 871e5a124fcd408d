/// When a transfer whose attempt failed is tried again, and when it is given up.
///
/// An attempt that brought enough to go on from is followed by the next at once, nearly: a long
/// download over a bad line is many short ones. One that brought nothing is followed by three quick
/// ones, since most faults are over in a moment, and then by `Backoff`. What brings nothing for two
/// weeks is given up.
package enum TransferRetry {
  package static let afterGain: Duration = .seconds(1)
  /// Where nobody says that the network is back, it is looked for so often.
  package static let whileOffline = Backoff.firstDelay
  package static let givenUpAfter = Backoff.longDeadAfter
  /// What an attempt must bring, that can be gone on from, not to count as a failure.
  package static let gainBytesMin: Int64 = 64 << 10
  /// A file that is another one each time it is asked for is not to be had in parts.
  package static let changesMax = 10

  /// After so many failures in a row, failing since; nil: given up.
  package static func delay(
    failures: Int, failingFor: Duration, chance: Double
  ) -> Duration? {
    if failures == 0 { return afterGain }
    if failingFor >= givenUpAfter { return nil }
    let backoff = Backoff.outage(
      quick: Backoff.quickDelays, failures: failures, failingFor: failingFor)
    let longest = backoff.longest(failures: failures)
    if failures <= backoff.quick.count { return longest }
    return backoff.delay(failures: failures, floor: longest / 2, chance: chance)
  }
}
