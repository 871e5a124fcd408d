/// Why a hostname is left alone.
package enum LaneClosure: Hashable, Sendable {
  /// 429 or 503 with Retry-After, now or before a restart.
  case retryAfter
  /// 429 that did not say for how long.
  case tooManyRequests
  /// So many 403 in a row, which is how some servers say 429.
  case forbidden(Int)

  var phrase: String {
    switch self {
    case .retryAfter: "it asked for that (Retry-After)"
    case .tooManyRequests: "it answered 429 Too Many Requests"
    case .forbidden(let count): "it answered 403 Forbidden \(count) times in a row"
    }
  }
}
