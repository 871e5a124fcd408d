/// One request of a run, each hop of a redirect and each retry for itself, and what came of it.
package struct RecordedRequest: Equatable, Sendable {
  package var method = "GET"
  package var url: String
  /// Must be sent with these values; others may be sent beside them.
  package var headers: [HTTPField] = []
  /// Must be sent; nil: whatever is sent.
  package var body: RecordedBody?
  package var end: RecordedEnd
  /// How often the same is asked and answered.
  package var times = 1

  package init(url: String, end: RecordedEnd) {
    self.url = url
    self.end = end
  }
}

/// What came of a request.
package enum RecordedEnd: Equatable, Sendable {
  case answer(RecordedAnswer)
  /// No answer, and why. The detail is for people, see `RecordedFault.detail`.
  case fault(RecordedFault, detail: String?)
}

/// An answer as the host saw it: its body decoded.
package struct RecordedAnswer: Equatable, Sendable {
  package var status: Int
  /// In the order received; of one name there may be several.
  package var headers: [HTTPField] = []
  package var body = RecordedBody([])

  package init(status: Int) { self.status = status }
}

/// A body, and the file it was read from or is to be written to where it has one.
package struct RecordedBody: Equatable, Sendable {
  package var bytes: [UInt8]
  /// Relative to the folder of the case.
  package var file: String?

  package init(_ bytes: [UInt8], file: String? = nil) {
    self.bytes = bytes
    self.file = file
  }
}
