/// The evidence of one HTTP answer about news, independent of the plugin.
package enum AnswerFact: Equatable, Sendable {
  /// A 304 to the host's own conditional request.
  case notModified
  /// A full answer whose body equals the previous one byte for byte.
  case sameBody
  /// A status other than 2xx, or no answer: nothing is known about the requested resource.
  case error
  /// Any other answer: it had contents to read.
  case full
}
