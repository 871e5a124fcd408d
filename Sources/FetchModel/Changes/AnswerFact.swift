/// The evidence that one HTTP answer gives about news, independent of the plugin's result.
package enum AnswerFact: Equatable, Sendable {
  /// A 304 answer to a request that the host made conditional.
  case notModified
  /// A full answer whose body equals the previous body byte for byte. Bodies are compared only if
  /// `HTTPRequest.conditional` is true.
  case sameBody
  /// A request without an answer, or an answer with a status other than 2xx. A `notModified` answer
  /// does not count. Nothing is known about the requested resource.
  case error
  /// An answer that no other case describes. It may contain news.
  case full
}
