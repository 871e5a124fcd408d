/// An answer: its status, its header fields and its body.
///
/// The server adds `Date`, `Content-Length` and the fields that all answers have, unless they are
/// set here: see `alwaysFields`.
package struct WebResponse: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// A body that goes on, such as events. The server runs the function in a task, which it
    /// cancels when the client disconnects; the answer ends when the function returns.
    case stream(@Sendable (any WebStreamWriter) async -> Void)
  }

  package var status: Int
  package var headers: WebHeaders
  package var body: Body

  package init(_ status: Int, headers: WebHeaders = WebHeaders(), body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// An answer with a body of that media type.
  package init(_ status: Int = 200, type: String, _ body: [UInt8]) {
    self.init(status, headers: WebHeaders([("Content-Type", type)]), body: .bytes(body))
  }

  package init(_ status: Int = 200, type: String, _ text: String) {
    self.init(status, type: type, Array(text.utf8))
  }

  package func adding(_ name: String, _ value: String) -> WebResponse {
    var response = self
    response.headers.set(name, value)
    return response
  }

  /// The bytes of the body; nil if it goes on.
  package var bytes: [UInt8]? { if case .bytes(let bytes) = body { bytes } else { nil } }

  /// The fields of every answer, errors included: a browser must not guess types, keep answers or
  /// let other sites embed them. An answer may set its own value.
  package static let alwaysFields: [WebHeaders.Field] = [
    ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cache-Control", "no-store"), ("Content-Security-Policy", "default-src 'none'; sandbox"),
  ]

  /// The answer with the fields that all answers have.
  package var complete: WebResponse {
    var response = self
    for (name, value) in Self.alwaysFields where headers.first(name) == nil {
      response.headers.add(name, value)
    }
    return response
  }
}

/// The writing end of an answer that goes on.
package protocol WebStreamWriter: Sendable {
  /// Sends bytes. Returns false if the client is gone or was disconnected because it is
  /// `WebLimits.streamBacklogBytesMax` behind; nothing more can then be sent.
  func send(_ bytes: [UInt8]) -> Bool

  /// Waits until the client has read most of what was sent. Returns false if the client is gone.
  func drain() async -> Bool
}
