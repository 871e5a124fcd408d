import FetchValues

/// One request of a run with its result. Each redirect hop and each retry is a separate request.
package struct RecordedRequest: Equatable, Sendable {
  package var method = "GET"
  package var url: String
  /// The headers that the request must have, with the required values. Other headers may be sent as
  /// well.
  package var headers: [HTTPField] = []
  /// The body that the request must have; nil if any body is accepted.
  package var body: RecordedBody?
  package var end: RecordedEnd
  /// The number of times that this request is sent and answered.
  package var times = 1

  package init(url: String, end: RecordedEnd) {
    self.url = url
    self.end = end
  }
}

/// The result of a request.
package enum RecordedEnd: Equatable, Sendable {
  case answer(RecordedAnswer)
  /// The request had no valid answer, for the given reason. If a fault has a detail,
  /// `RecordedFault.summary` says what the detail is.
  case fault(RecordedFault, detail: String?)
}

/// An answer whose body is already decoded.
package struct RecordedAnswer: Equatable, Sendable {
  package var status: Int
  /// The headers in the order received. A name may occur more than once.
  package var headers: [HTTPField] = []
  package var body = RecordedBody([])

  package init(status: Int) { self.status = status }
}

/// A body, with the path of its file if the body is stored in a file.
package struct RecordedBody: Equatable, Sendable {
  package var bytes: [UInt8]
  /// The path of the body's file, relative to the folder of the case.
  package var file: String?

  package init(_ bytes: [UInt8], file: String? = nil) {
    self.bytes = bytes
    self.file = file
  }
}

/// A request that is sent to a server, or that would be sent without a recording.
package struct SentRequest: Equatable, Sendable {
  package var method: String
  package var url: String
  package var headers: [HTTPField]
  package var body: [UInt8]?

  package init(method: String, url: String, headers: [HTTPField] = [], body: [UInt8]? = nil) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// The error for a request that has no answer in the recording.
package struct UnrecordedRequest: Error, Equatable, Sendable {
  /// The difference between a sent request and the most similar recorded request.
  enum Difference: Equatable, Sendable {
    case address
    case header(HTTPField, sent: String?)
    case body(recorded: [UInt8], sent: [UInt8])
  }

  struct Nearest: Equatable, Sendable {
    var request: RecordedRequest
    /// The difference; nil if the sent request matches `request`, but was sent more often than it
    /// was recorded.
    var difference: Difference?
    var isAsked: Bool
  }

  var sent: SentRequest
  var nearest: Nearest?
}

extension UnrecordedRequest: CustomStringConvertible {
  /// The message: one sentence without a full stop.
  package var description: String {
    let name = Self.name(sent.method, sent.url)
    guard let nearest else {
      return "\(name) is not in the recording, which has no requests for this run"
    }
    let request = nearest.request
    switch nearest.difference {
    case nil:
      return "\(name) was requested more often than it is recorded"
    case .address:
      let nearestName = Self.name(request.method, request.url)
      return "\(name) is not in the recording; the nearest request is \(nearestName)"
        + (nearest.isAsked ? ", which was already requested" : "")
    case .header(let header, let value):
      let sent = value.map { "sent with '\(Self.cut($0))'" } ?? "sent without it"
      return "\(name) is recorded with the header \(header.name): \(Self.cut(header.value))"
        + ", but was \(sent)"
    case .body(let recorded, let sent):
      return "\(name) is recorded with the body '\(Self.cut(recorded))'"
        + ", but was sent with '\(Self.cut(sent))'"
    }
  }

  private static let shownCount = 200

  package static func name(_ method: String, _ url: String) -> String { "\(method) \(cut(url))" }

  private static func cut(_ bytes: [UInt8]) -> String {
    cut(String(decoding: bytes, as: UTF8.self))
  }

  private static func cut(_ text: String) -> String {
    text.count <= shownCount ? text : text.prefix(shownCount) + "…"
  }
}
