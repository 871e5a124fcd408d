package import FetchValues

/// An error for a client of the server. Clients of the API receive it as `application/problem+json`
/// (RFC 9457).
package struct WebProblem: Error, Equatable, Sendable {
  /// The kinds of problems. The words never change, because other programs read them.
  package enum Word: String, CaseIterable, Sendable {
    case badRequest, unknownHost, noAccess, missingScope, tooManyRequests, notSameOrigin,
      wrongSignature
    case notFound, unknownJob, unknownItem, unknownRun, unknownTransfer, unknownDelivery,
      unknownSubscription, gone
    case methodNotAllowed
    case unknownParameter, invalidParameter, invalidBody, bodyTooLarge, headTooLarge, tooSlow
    case unsupportedType, changed, invalidConfig, refused, busy, noDaemon, noAnswer, noStore
    case internalError
  }

  /// One error in a request or in the config.
  package struct Part: Equatable, Sendable {
    /// A JSON pointer to the invalid part of the body; nil if the error is not in the body.
    package var pointer: String?
    package var parameter: String?
    package var detail: String

    package init(pointer: String? = nil, parameter: String? = nil, _ detail: String) {
      self.pointer = pointer
      self.parameter = parameter
      self.detail = detail
    }
  }

  package var word: Word
  package var status: Int
  /// A message for people about the problem.
  package var detail: String
  /// The known name that is most similar to a mistyped name; nil if there is none.
  package var hint: String?
  package var errors: [Part] = []
  /// Additional header fields of the answer, such as `Retry-After`.
  package var headers = WebHeaders()

  package init(
    _ word: Word, _ status: Int, _ detail: String, hint: String? = nil, errors: [Part] = [],
    headers: WebHeaders = WebHeaders()
  ) {
    self.word = word
    self.status = status
    self.detail = detail
    self.hint = hint
    self.errors = errors
    self.headers = headers
  }

  package static func == (left: WebProblem, right: WebProblem) -> Bool {
    left.value == right.value
  }

  /// The problem if the daemon's answer cannot be decoded.
  static var unreadable: WebProblem {
    WebProblem(
      .noAnswer, 503,
      "the daemon's answer cannot be read: restart the daemon if its version differs from this"
        + " program's")
  }

  package static let type = "application/problem+json"

  package var value: Value {
    var object = ValueObject([
      ("type", .string("urn:fetchrun:problem:\(word.rawValue)")), ("title", .string(word.title)),
      ("status", .integer(Int64(status))), ("detail", .string(detail)),
    ])
    if let hint { object.append("hint", .string(hint)) }
    if !errors.isEmpty { object.append("errors", .array(errors.map(\.value))) }
    return .object(object)
  }

  package var response: WebResponse {
    let text = (try? JSONWriter.text(value)) ?? "{}"
    var response = WebResponse(status, type: Self.type, ShownJSON.text(text) + "\n")
    for (name, value) in headers.fields { response.headers.set(name, value) }
    return response
  }
}

extension WebProblem.Part {
  var value: Value {
    var object = ValueObject()
    if let pointer { object.append("pointer", .string(pointer)) }
    if let parameter { object.append("parameter", .string(parameter)) }
    object.append("detail", .string(detail))
    return .object(object)
  }
}

extension WebProblem.Word {
  /// The title, which is the same for all problems of the kind.
  package var title: String {
    switch self {
    case .badRequest: "The request is invalid"
    case .unknownHost: "The request names a host that is not configured"
    case .noAccess: "Access is denied"
    case .missingScope: "The caller lacks the right to do this"
    case .tooManyRequests: "Too many requests"
    case .notSameOrigin: "The request may come from another site"
    case .wrongSignature: "The signature is missing or was not accepted"
    case .notFound: "Nothing matches this address"
    case .unknownJob: "There is no such job"
    case .unknownItem: "There is no such item"
    case .unknownRun: "There is no such run"
    case .unknownSubscription: "There is no such subscription"
    case .gone: "The address is no longer in use"
    case .unknownTransfer: "There is no such transfer"
    case .unknownDelivery: "There is no such delivery"
    case .methodNotAllowed: "The address does not allow this method"
    case .unknownParameter: "The address has no such parameter"
    case .invalidParameter: "A parameter is invalid"
    case .invalidBody: "The body is invalid"
    case .bodyTooLarge: "The body is too large"
    case .headTooLarge: "The head of the request is too large"
    case .tooSlow: "The request took too long"
    case .unsupportedType: "The body has the wrong media type"
    case .changed: "The file has changed"
    case .invalidConfig: "The config has errors"
    case .refused: "The request was refused"
    case .busy: "The server is busy"
    case .noDaemon: "No daemon is running"
    case .noAnswer: "The daemon gave no usable answer"
    case .noStore: "The store cannot be read"
    case .internalError: "The server failed"
    }
  }
}

extension WebProblem.Word {
  /// The usual HTTP status of a problem of this kind.
  package var usualStatus: Int {
    switch self {
    case .badRequest, .unknownParameter, .invalidParameter, .invalidBody: 400
    case .noAccess: 401
    case .missingScope, .notSameOrigin, .wrongSignature: 403
    case .notFound, .unknownJob, .unknownItem, .unknownRun, .unknownTransfer, .unknownDelivery,
      .unknownSubscription:
      404
    case .gone: 410
    case .methodNotAllowed: 405
    case .tooSlow: 408
    case .changed, .refused: 409
    case .bodyTooLarge: 413
    case .unsupportedType: 415
    case .unknownHost: 421
    case .invalidConfig: 422
    case .tooManyRequests: 429
    case .headTooLarge: 431
    case .internalError: 500
    case .busy, .noDaemon, .noAnswer, .noStore: 503
    }
  }
}
