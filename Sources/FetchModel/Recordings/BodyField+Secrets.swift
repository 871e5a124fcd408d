/// What of a text is a secret by the look of it, where a name says that it is one.
extension BodyField {
  /// No token is longer; a private key in text may come near.
  private static let secretBytesMax = 16 << 10
  /// Texts that are longer are no names of things, whatever their letters.
  private static let wordBytesMax = 20

  /// Not a word, a sentence or an address; nil for these.
  static func secret(in text: String) -> [UInt8]? {
    let isKey = text.hasPrefix("-----BEGIN ")
    let value = isKey ? text : RecordingRedactor.credential(text)
    let bytes = Array(value.utf8)
    guard (RecordingRedactor.valueBytesMin...secretBytesMax).contains(bytes.count),
      !RecordingRedactor.isScrubbed(value)
    else { return nil }
    let isData = isWord(bytes) || value.contains("://") || value.contains(where: \.isWhitespace)
    return isKey || !isData ? bytes : nil
  }

  private static func isWord(_ bytes: [UInt8]) -> Bool {
    bytes.count < wordBytesMax
      && bytes.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || "-_.".utf8.contains(byte)
      }
  }
}
