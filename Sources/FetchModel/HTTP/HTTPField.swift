import FetchValues

/// One header field. The case of its name does not matter (RFC 9110 section 5.1).
package struct HTTPField: Equatable, Sendable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension HTTPField {
  /// Whether a field with this name contains a validator. Only the server understands the bytes of
  /// a validator (RFC 9110 section 8.8.3). A validator's text therefore has one character for each
  /// byte, U+0000 to U+00FF.
  package static func holdsValidator(_ name: String) -> Bool {
    validatorNames.contains { name.equals($0) }
  }

  private static let validatorNames: [StaticString] = [
    "etag", "last-modified", "if-none-match", "if-modified-since", "if-range", "if-match",
    "if-unmodified-since",
  ]

  /// Appends the value in wire format. A validator becomes its original bytes. All other values are
  /// in UTF-8, and so is a validator with a character above U+00FF.
  package func appendValue(to line: inout [UInt8]) {
    let start = line.count
    line += value.utf8
    // Nearly all values are ASCII, and the array is faster to search than the string.
    guard line[start...].contains(where: { $0 >= 0x80 }), Self.holdsValidator(name),
      let bytes = Self.bytes(ofValidator: value)
    else { return }
    line.replaceSubrange(start..., with: bytes)
  }

  package var isContentType: Bool {
    name.equals("content-type")
  }

  /// Returns the text that represents the bytes of a validator.
  package static func validator(_ bytes: some Sequence<UInt8>) -> String {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// Returns the bytes of a validator from its text; nil if a character is above U+00FF.
  package static func bytes(ofValidator text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      guard let byte = UInt8(exactly: scalar.value) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
