import FetchValues

/// The fuzz target for encoded values. Reading, skipping and writing must agree.
enum ValueTarget {
  static func run(_ input: UnsafeRawBufferPointer) {
    var reader = ValueReader(input)
    var skipper = ValueReader(input)
    guard let value = try? reader.readValue() else { return }
    guard (try? skipper.skipValue()) != nil, skipper.offset == reader.offset else {
      fatalError("skipping differs from reading")
    }
    var writer = ValueWriter()
    writer.write(value)
    let back = writer.bytes.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      return try? reader.readValue()
    }
    // NaN does not equal itself, so the bytes are compared.
    guard let back else { fatalError("what was written cannot be read") }
    var again = ValueWriter()
    again.write(back)
    guard again.bytes == writer.bytes else { fatalError("a value changed on its way") }

    var transcoder = ValueReader(input)
    var json = JSONWriter()
    if (try? json.write(from: &transcoder)) != nil, (try? JSONReader.decode(json.bytes)) == nil {
      fatalError("the written JSON cannot be read")
    }
  }
}
