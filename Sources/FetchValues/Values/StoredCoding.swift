/// A value that has one encoded form, for a store or a message.
///
/// Stored forms remain after the program that wrote them is replaced. A type that changes its form
/// must therefore still read or reject the earlier forms.
package protocol StoredCoding {
  /// Writes the value as one encoded value, usually a list of fields.
  func encode(into writer: inout ValueWriter)

  /// Reads the form that `encode` writes. The result equals the value that was encoded, except for
  /// parts that the type does not store. The bytes may be untrusted; the initializer throws an
  /// error for invalid bytes.
  init(from reader: inout ValueReader) throws(ValueError)
}

extension StoredCoding {
  package var encoded: [UInt8] {
    // Most values fit, so that the buffer does not grow.
    var writer = ValueWriter(reserving: 192)
    encode(into: &writer)
    return writer.bytes
  }

  /// Reads the value at the beginning of the bytes.
  package init(encoded bytes: [UInt8]) throws(ValueError) {
    self = try ValueReader.read(bytes, Self.init(from:))
  }
}
