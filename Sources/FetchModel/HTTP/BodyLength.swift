import FetchValues

/// How an answer's header says where its body ends (RFC 9112 section 6.3).
package enum BodyLength: Equatable, Sendable {
  /// It names no length, or one.
  case clear
  /// It names a length, and chunks, which override it. The connection is not used again, because
  /// a server that says both may mean either.
  case overridden
  /// It names lengths that differ, or one that is no decimal number.
  case unclear

  /// - Parameter fields: the fields of an answer that has a body, with lower-case names.
  package init(_ fields: [HTTPField]) {
    let lengths = fields.filter { $0.name == "content-length" }.map(\.value)
    if lengths.isEmpty {
      self = .clear
    } else if fields.contains(where: Self.isChunked) {
      self = .overridden
    } else {
      self = Self.isOne(lengths) ? .clear : .unclear
    }
  }

  private static func isChunked(_ field: HTTPField) -> Bool {
    field.name == "transfer-encoding"
      && field.value.split(separator: ",").contains {
        $0.trimmingHTTPSpace.asciiLowercased == "chunked"
      }
  }

  /// The same length may be named several times, also in one line (RFC 9110 section 8.6).
  private static func isOne(_ lines: [String]) -> Bool {
    let values = lines.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let lengths = Set(values.map { number($0.trimmingHTTPSpace) })
    return lengths.count == 1 && !lengths.contains(nil)
  }

  private static func number(_ text: Substring) -> Int64? {
    text.utf8.allSatisfy(\.isASCIIDigit) ? Int64(text) : nil
  }
}
