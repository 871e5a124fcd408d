import FetchValues

/// A secret of a recorded job, usually with a dummy value that no server accepts.
package struct RecordedSecret: Equatable, Sendable {
  /// The name of the secret in the plugin's manifest.
  package var name: String
  package var value: String
  /// The hostnames that may receive the secret; nil for the hostnames that the plugin requests.
  package var hosts: [HostPattern]?

  package init(_ name: String, value: String? = nil, hosts: [HostPattern]? = nil) {
    self.name = name
    self.value = value ?? "made-up-\(name)"
    self.hosts = hosts
  }

  /// Returns the dummy value of the numeric secret with the given index. The first two digits are
  /// different for each of the first 90 indexes. The number has 13 digits, so that a `Double`
  /// represents it exactly.
  static func number(_ index: Int) -> String {
    let pair = "\(9 - index % 9)\(index / 9 % 10)"
    return String(repeating: pair, count: 6) + pair.prefix(1)
  }
}

/// The dummy values that replace the marks of a recording's secrets in answers.
///
/// If a recorded answer contains the mark of a secret, the plugin receives the dummy value instead.
/// Marks with unknown names stay, because the server itself may have sent the text of the mark.
struct DummySecrets: Sendable {
  private let values: [[UInt8]: [UInt8]]

  init(_ secrets: [RecordedSecret]) {
    values = Dictionary(
      secrets.map { (Array($0.name.utf8), Array($0.value.utf8)) },
      uniquingKeysWith: { first, _ in first })
  }

  func put(into end: RecordedEnd) -> RecordedEnd {
    guard !values.isEmpty, case .answer(var answer) = end else { return end }
    answer.headers = answer.headers.map { field in
      HTTPField(field.name, String(decoding: put(into: Array(field.value.utf8)), as: UTF8.self))
    }
    answer.body.bytes = put(into: answer.body.bytes)
    return .answer(answer)
  }

  /// Replaces all marks by dummy values in one pass. The inserted values are not searched again.
  func put(into bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var copied = 0
    for place in RedactionMark.places(in: bytes) {
      guard let value = values[Array(bytes[place.name])] else { continue }
      result += bytes[copied..<place.whole.lowerBound]
      result += value
      copied = place.whole.upperBound
    }
    return copied == 0 ? bytes : result + bytes[copied...]
  }
}
