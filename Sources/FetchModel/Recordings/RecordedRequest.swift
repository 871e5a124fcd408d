/// One request of a run with its result; each redirect hop and each retry is a request.
package struct RecordedRequest: Equatable, Sendable {
  package var method = "GET"
  package var url: String
  /// The headers that must be sent with these values; others may be sent as well.
  package var headers: [HTTPField] = []
  /// The body that must be sent; nil for any.
  package var body: RecordedBody?
  package var end: RecordedEnd
  /// How often the same request is sent and answered.
  package var times = 1

  package init(url: String, end: RecordedEnd) {
    self.url = url
    self.end = end
  }
}

/// The result of a request.
package enum RecordedEnd: Equatable, Sendable {
  case answer(RecordedAnswer)
  /// No answer, with the reason. The detail is for people, see `RecordedFault.detail`.
  case fault(RecordedFault, detail: String?)
}

/// An answer with its body decoded.
package struct RecordedAnswer: Equatable, Sendable {
  package var status: Int
  /// The headers in the order received; names may repeat.
  package var headers: [HTTPField] = []
  package var body = RecordedBody([])

  package init(status: Int) { self.status = status }
}

/// A body, with its file if it has one.
package struct RecordedBody: Equatable, Sendable {
  package var bytes: [UInt8]
  /// The path relative to the folder of the case.
  package var file: String?

  package init(_ bytes: [UInt8], file: String? = nil) {
    self.bytes = bytes
    self.file = file
  }
}
