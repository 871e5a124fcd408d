/// The reason why a hostname is left alone.
package enum LaneClosure: Hashable, Sendable {
  /// A 429 or 503 with Retry-After, now or before a restart.
  case retryAfter
  /// A 429 without Retry-After.
  case tooManyRequests
  /// That many 403 answers in a row: some servers send 403 instead of 429.
  case forbidden(Int)

  var phrase: String {
    switch self {
    case .retryAfter: "it sent Retry-After"
    case .tooManyRequests: "it answered 429 Too Many Requests"
    case .forbidden(let count): "it answered 403 Forbidden \(count) times in a row"
    }
  }
}
