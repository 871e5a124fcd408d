/// The reason why no requests are sent to a hostname for a time.
package enum LaneClosure: Hashable, Sendable {
  /// The hostname sent Retry-After, possibly before a restart.
  case retryAfter
  /// The hostname answered 429 without Retry-After.
  case tooManyRequests
  /// The hostname answered 403 the given number of times in a row. Some servers send 403 instead of
  /// 429.
  case forbidden(Int)

  var phrase: String {
    switch self {
    case .retryAfter: "it sent Retry-After"
    case .tooManyRequests: "it answered 429 Too Many Requests"
    case .forbidden(let count): "it answered 403 Forbidden \(count) times in a row"
    }
  }
}
