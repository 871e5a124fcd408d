extension Value {
  /// Reads one encoded value that must fill the bytes.
  package init(encoded bytes: [UInt8]) throws(ValueError) {
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(ValueError) in
        var reader = ValueReader(buffer)
        let value = try reader.readValue()
        guard reader.isAtEnd else { throw .unexpected("more bytes", wanted: "one value") }
        return value
      }
    }
    self = try result.get()
  }

  /// The encoded form (`ValueTag`).
  package var encoded: [UInt8] {
    var writer = ValueWriter()
    writer.write(self)
    return writer.bytes
  }
}
