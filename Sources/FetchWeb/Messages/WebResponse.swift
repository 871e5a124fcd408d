/// An answer: its status, its header fields and its body.
///
/// The server adds `Date`, and the fields of `alwaysFields` that the answer does not have. If the
/// body is not a stream and the status allows a body, the server also adds `Content-Length`.
package struct WebResponse: Sendable {
  package enum Body: Sendable {
    case bytes([UInt8])
    /// A body of unknown length, such as a stream of events. The server runs the function in a
    /// task, except for a HEAD request. It cancels the task when the connection closes or the
    /// server stops. The answer ends when the function returns.
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

  /// Creates an answer with a body of the given media type.
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

  /// The bytes of the body; nil if the body is a stream.
  package var bytes: [UInt8]? { if case .bytes(let bytes) = body { bytes } else { nil } }

  /// The header fields of every answer, including errors. An answer may set its own value for a
  /// field. The values forbid browsers to guess types and to store answers. They also forbid other
  /// sites to load answers as scripts, images or styles.
  package static let alwaysFields: [WebHeaders.Field] = [
    ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cache-Control", "no-store"), ("Content-Security-Policy", "default-src 'none'; sandbox"),
  ]

  /// The answer with the missing fields of `alwaysFields` added.
  package var complete: WebResponse {
    var response = self
    for (name, value) in Self.alwaysFields where headers.first(name) == nil {
      response.headers.add(name, value)
    }
    return response
  }
}

/// The writing end of a stream to a client.
package protocol WebStreamWriter: Sendable {
  /// Sends bytes. Returns false if the connection is closed. Also returns false, and disconnects
  /// the client, if more than `WebLimits.streamBacklogBytesMax` bytes would wait to be sent.
  func send(_ bytes: [UInt8]) -> Bool

  /// Waits until at most `WebLimits.streamDrainedBytesMax` bytes wait to be sent. Returns false if
  /// the connection is closed.
  func drain() async -> Bool
}
