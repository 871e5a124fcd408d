/// One request of a run with its result. Each redirect hop and each retry is a separate request.
package struct RecordedRequest: Equatable, Sendable {
  package var method = "GET"
  package var url: String
  /// The headers that the request must have, with these values. Other headers may be sent as well.
  package var headers: [HTTPField] = []
  /// The body that the request must have; nil if any body is accepted.
  package var body: RecordedBody?
  package var end: RecordedEnd
  /// The number of times that the same request is sent and answered.
  package var times = 1

  package init(url: String, end: RecordedEnd) {
    self.url = url
    self.end = end
  }
}

/// The result of a request.
package enum RecordedEnd: Equatable, Sendable {
  case answer(RecordedAnswer)
  /// The request had no answer, for the given reason. The detail is text for people.
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
