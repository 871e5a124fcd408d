import FetchValues

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
    /// The difference; nil for a recorded request that was sent too often.
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
      let count = request.times == 1 ? "once" : "\(request.times) times"
      return "\(name) is recorded \(count) and was requested once more"
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
