import FetchValues

/// A named string in a body: a member of a JSON object at any depth, or a field of a form.
struct BodyField {
  var name: String
  var value: String
  /// The range of the value in the body's bytes.
  var place: Range<Int>

  enum Kind {
    case json, form

    /// Finds out whether a body is JSON or a form; nil for other bodies. JSON is detected by the
    /// first character that is not blank, and a form by the header `Content-Type`.
    init?(of bytes: [UInt8], _ headers: [HTTPField]) {
      let type = headers.first { $0.name.asciiLowercased == "content-type" }?.value
      if let first = bytes.first(where: { !Self.isBlank($0) }), "{[".utf8.contains(first) {
        self = .json
      } else if type?.asciiLowercased.contains("x-www-form-urlencoded") == true {
        self = .form
      } else {
        return nil
      }
    }

    fileprivate static func isBlank(_ byte: UInt8) -> Bool {
      // The last three bytes are a byte order mark in UTF-8.
      [0x20, 0x0A, 0x0D, 0x09, 0xEF, 0xBB, 0xBF].contains(byte)
    }
  }

  /// Returns the secret fields of a request's body, in order. The name of a field decides whether
  /// the field is secret. Fields without a value are left out.
  static func secrets(inRequest bytes: [UInt8], _ headers: [HTTPField]) -> [BodyField] {
    switch Kind(of: bytes, headers) {
    case .json: members(of: bytes, where: SecretNames.isSecret(bodyField:))
    case .form: fields(of: bytes, where: SecretNames.isSecret(formField:))
    case nil: []
    }
  }

  /// Returns the secret fields of an answer's body, in order. A form in an answer contains data, so
  /// fewer field names count as secret than in a request.
  static func secrets(inAnswer bytes: [UInt8], _ headers: [HTTPField]) -> [BodyField] {
    switch Kind(of: bytes, headers) {
    case .json: members(of: bytes, where: SecretNames.isSecret(bodyField:))
    case .form: fields(of: bytes, where: SecretNames.isSecret(bodyField:))
    case nil: []
    }
  }

  private static func members(
    of bytes: [UInt8], where isWanted: (String) -> Bool
  ) -> [BodyField] {
    var fields: [BodyField] = []
    var last: Range<Int>?
    for string in JSONStrings(bytes) {
      if let last, isColon(bytes[last.upperBound..<string.lowerBound].dropFirst().dropLast()),
        let name = JSONStrings.text(bytes, last), isWanted(name),
        let value = JSONStrings.text(bytes, string), !value.isEmpty
      {
        fields.append(BodyField(name: name, value: value, place: string))
      }
      last = string
    }
    return fields
  }

  /// Whether the bytes between a name and its value contain only a colon and white space.
  private static func isColon(_ bytes: ArraySlice<UInt8>) -> Bool {
    var colonCount = 0
    for byte in bytes {
      if byte == UInt8(ascii: ":") { colonCount += 1 } else if !Kind.isBlank(byte) { return false }
    }
    return colonCount == 1
  }

  private static func fields(
    of bytes: [UInt8], where isWanted: (String) -> Bool
  ) -> [BodyField] {
    bytes.split(separator: UInt8(ascii: "&")).compactMap { piece in
      guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      let name = text(piece[..<equals])
      let value = piece[(equals + 1)...]
      return isWanted(name) && !value.isEmpty
        ? BodyField(name: name, value: text(value), place: value.indices) : nil
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: PercentEncoding.decode(bytes, plusIsSpace: true), as: UTF8.self)
  }
}

/// The test of whether a text looks like a secret.
extension BodyField {
  /// The maximum length of a value that can be a secret, in bytes. Tokens are far shorter.
  private static let secretBytesMax = 16 << 10
  /// The length at which a text no longer counts as a word, in bytes. A shorter text is a word if
  /// it has only lower-case ASCII letters, `-`, `_` and `.`.
  private static let wordBytesMax = 20

  /// Returns the bytes of a text that looks like a secret, without a first word such as `Bearer`.
  /// The result is nil if the rest is a word (`isWord`) or contains white space or `://`. A text
  /// that begins with `-----BEGIN ` is returned whole, even with white space. The result is also
  /// nil if the text is too short, too long or already redacted.
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
