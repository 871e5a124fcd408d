/// The evidence that one HTTP answer gives about news, independent of the plugin's result.
package enum AnswerFact: Equatable, Sendable {
  /// A 304 answer to a conditional request that the host made.
  case notModified
  /// A full answer whose body equals the previous body byte for byte.
  case sameBody
  /// A status other than 2xx, or no answer: nothing is known about the requested resource.
  case error
  /// An answer that no other case describes. It may contain news.
  case full
}
