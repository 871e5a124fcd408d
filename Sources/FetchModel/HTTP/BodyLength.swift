import FetchValues

/// The form in which an answer's header gives the length of its body (RFC 9112 section 6.3).
package enum BodyLength: Equatable, Sendable {
  /// No length, or one.
  case clear
  /// A length and chunks, which override it. The connection is not reused, because such a server
  /// may mean either.
  case overridden
  /// Different lengths, or one that is not a decimal number.
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

  /// Whether the length is unambiguous. It may be repeated, also in one line (RFC 9110 section
  /// 8.6).
  private static func isOne(_ lines: [String]) -> Bool {
    let values = lines.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let lengths = Set(values.map { number($0.trimmingHTTPSpace) })
    return lengths.count == 1 && !lengths.contains(nil)
  }

  private static func number(_ text: Substring) -> Int64? {
    text.utf8.allSatisfy(\.isASCIIDigit) ? Int64(text) : nil
  }
}
