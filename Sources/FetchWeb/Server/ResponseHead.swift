import FetchHost
import FetchModel
import FetchValues
import NIOCore
import NIOHTTP1

extension HTTPResponseHead {
  /// Creates the head of an answer, without a length.
  init(_ response: WebResponse, isKept: Bool, now: Timestamp) {
    var headers = HTTPHeaders()
    for (name, value) in response.complete.headers.fields {
      // A line break in a value would begin another field.
      headers.add(
        name: name,
        value: String(decoding: value.utf8.map { $0 < 32 || $0 == 127 ? 32 : $0 }, as: UTF8.self))
    }
    headers.add(name: "Date", value: HTTPDate.text(now))
    if !isKept { headers.add(name: "Connection", value: "close") }
    self.init(
      version: .http1_1, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
  }

  /// Sets `Content-Length`. Leaves the field out for 1xx and 204, where it is forbidden (RFC 9110,
  /// section 8.6), and for 304.
  mutating func setLength(_ count: Int) {
    let code = status.code
    guard code != 204, code != 304, code >= 200 else { return }
    headers.add(name: "Content-Length", value: String(count))
  }
}

extension WebProblem {
  static let invalidRequest = WebProblem(
    .badRequest, 400, "invalid request: it is not valid HTTP/1.1")

  static let headTooLarge = WebProblem(
    .headTooLarge, 431,
    "the head of the request has more than \(WebLimits.headBytesMax) bytes or"
      + " \(WebLimits.headFieldsMax) fields")

  /// The problem of a large answer that `AnswerBacklog` refuses.
  static let tooManyAnswers = WebProblem(
    .busy, 503, "too many large answers wait to be sent; try again later",
    headers: WebHeaders([("Retry-After", "5")]))

  static func bodyTooLarge(_ bytesMax: Int) -> WebProblem {
    WebProblem(.bodyTooLarge, 413, "the body has more than \(bytesMax) bytes")
  }
}

extension TimeAmount {
  init(_ duration: Duration) { self = .nanoseconds(Int64(clamping: duration.nanoseconds)) }
}
