import FetchValues

/// The rules for header fields: the fields that a plugin may set, and the fields that are also sent
/// after a redirect to another origin.
package enum RequestHeaders {
  package static let countMax = 100
  /// The maximum length of a field's name and value together, in bytes. Common servers refuse
  /// fields of more than about 8 KB.
  package static let fieldBytesMax = 8_000

  /// The names of the fields for framing and routing, which only the host may set. A plugin that
  /// set such a field could smuggle a second request or reach a virtual host that is not granted.
  private static let reserved: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection", "keep-alive", "te", "trailer",
    "upgrade", "expect", "http2-settings", "via", "alt-used",
  ]

  /// The names of the fields that may stay after a redirect to another origin. Any other field that
  /// a plugin sets may carry a secret, as X-Api-Key does.
  private static let safeAcrossOrigins: Set<String> = [
    "accept", "accept-language", "accept-encoding", "cache-control", "pragma", "user-agent",
    "content-type", "content-language", "content-encoding", "range", "if-range", "depth",
  ]

  private static let conditional: Set<String> = [
    "if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range", "range",
  ]

  package static func check(_ fields: [HTTPField]) -> Failure? {
    guard fields.count <= countMax else {
      return Failure(
        .invalidValue,
        "a request has \(fields.count) headers, but at most \(countMax) are allowed")
    }
    return fields.lazy.compactMap(check).first
  }

  private static func check(_ field: HTTPField) -> Failure? {
    let name = field.name.asciiLowercased
    guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenByte) else {
      return Failure(
        .invalidValue,
        "the name of a request header is empty or has an invalid character")
    }
    if reserved.contains(name) || name.hasPrefix("proxy-") {
      return Failure(
        .permission,
        "the header \(field.name) is reserved: only fetchrun may set it")
    }
    let isText = field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    guard isText else {
      return Failure(
        .invalidValue, "the value of the header \(field.name) has a control character in it")
    }
    guard name.utf8.count + field.value.utf8.count <= fieldBytesMax else {
      return Failure(
        .invalidValue, "the header \(field.name) is longer than \(fieldBytesMax) bytes")
    }
    return nil
  }

  package static func isSafeAcrossOrigins(_ name: String) -> Bool {
    safeAcrossOrigins.contains(name.asciiLowercased)
  }

  package static func isConditional(_ name: String) -> Bool {
    conditional.contains(name.asciiLowercased)
  }

  /// Whether the field describes a body. Such a field must be dropped if the body is dropped.
  package static func describesBody(_ name: String) -> Bool {
    name.asciiLowercased.hasPrefix("content-")
  }
}
