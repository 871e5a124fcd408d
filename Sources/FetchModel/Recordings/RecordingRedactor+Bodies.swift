import FetchValues

/// The redaction of secret values in JSON and form bodies, by the names of their fields.
extension RecordingRedactor {
  /// Redacts a request's body. The values of secret fields are removed even if they do not look
  /// like secrets (`BodyField.secret(in:)`), unlike in an answer. A replay still works, because a
  /// placeholder in a request matches any text.
  func body(ofRequest bytes: [UInt8], _ headers: [HTTPField]) -> [UInt8] {
    let scrubbed = self.bytes(bytes)
    return replacing(BodyField.secrets(inRequest: scrubbed, headers), in: scrubbed)
  }

  func body(ofAnswer bytes: [UInt8], _ headers: [HTTPField]) -> [UInt8] {
    var scrubbed = self.bytes(bytes)
    let fields = BodyField.secrets(inAnswer: scrubbed, headers)
    scrubbed = replacing(fields.filter { BodyField.secret(in: $0.value) != nil }, in: scrubbed)
    let isJSON = BodyField.Kind(of: bytes, headers) == .json
    guard isJSON, scrubbed != bytes, (try? JSONReader.decode(bytes)) != nil else { return scrubbed }
    return Self.withNumbers(scrubbed)
  }

  private func replacing(_ fields: [BodyField], in bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var copied = 0
    for field in fields where !Self.isScrubbed(field.value) {
      let known = replacements.first { $0.form.elementsEqual(field.value.utf8) }
      result += bytes[copied..<field.place.lowerBound]
      result += known?.other ?? Self.placeholderBytes
      copied = field.place.upperBound
    }
    return copied == 0 ? bytes : result + bytes[copied...]
  }

  /// Replaces each placeholder outside JSON strings with a number, because a placeholder there
  /// would be invalid JSON. The digits of a numbered placeholder stay, as the number's last digits,
  /// so different values get different numbers.
  private static func withNumbers(_ bytes: [UInt8]) -> [UInt8] {
    let number = Array(RecordedSecret.number(0).utf8)
    var result: [UInt8] = []
    var copied = 0
    for string in JSONStrings(bytes) + [bytes.count..<bytes.count] {
      let between = Array(bytes[copied..<string.lowerBound])
      result += ByteSearch.replacing(placeholderBytes, in: between, number)
      result += bytes[string]
      copied = string.upperBound
    }
    return result
  }
}
