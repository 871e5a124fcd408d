/// What one HTTP answer of a run says about news, whatever the plugin makes of it.
package enum AnswerFact: Equatable, Sendable {
  /// 304 to a conditional request of the host's own.
  case notModified
  /// A full answer with the body of last time, byte for byte.
  case sameBody
  /// A status other than 2xx, or no answer at all: nothing is known of what was asked for.
  case error
  /// Anything else: there was something to look at.
  case full
}
