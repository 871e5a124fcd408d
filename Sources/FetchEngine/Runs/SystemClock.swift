import FetchModel
import FoundationEssentials

/// The machine's wall clock.
enum SystemClock {
  static func now() -> Timestamp {
    Timestamp(milliseconds: Int64((Date.now.timeIntervalSince1970 * 1000).rounded(.down)))
  }
}
