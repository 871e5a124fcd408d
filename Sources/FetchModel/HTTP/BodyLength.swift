import FetchValues

/// The classification of an answer's header fields by the body length that they give (RFC 9112
/// section 6.3).
package enum BodyLength: Equatable, Sendable {
  /// The header fields have no length, or one valid length.
  case clear
  /// The header fields have both a length and chunked coding, which overrides the length.
  case overridden
  /// The header fields have different lengths, or a length that is not a decimal number.
  case unclear

  /// Classifies the header fields of an answer.
  ///
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

  /// Whether all `Content-Length` lines give the same valid length. A length may be repeated, also
  /// within a line (RFC 9110 section 8.6).
  private static func isOne(_ lines: [String]) -> Bool {
    let values = lines.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let lengths = Set(values.map { number($0.trimmingHTTPSpace) })
    return lengths.count == 1 && !lengths.contains(nil)
  }

  private static func number(_ text: Substring) -> Int64? {
    text.utf8.allSatisfy(\.isASCIIDigit) ? Int64(text) : nil
  }
}
