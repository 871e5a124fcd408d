package import FetchValues

/// An email in wire format (RFC 5322, MIME). The subject is untrusted, so its line breaks never
/// reach a header field.
package struct MailMessage: Sendable {
  package var from: String
  package var to: [String]
  package var subject: String
  package var body: String
  /// The idempotency key, by which a receiver can detect a duplicate.
  package var key: String
  package var sentAt: Timestamp

  package init(
    from: String, to: [String], subject: String, body: String, key: String, sentAt: Timestamp
  ) {
    self.from = from
    self.to = to
    self.subject = subject
    self.body = body
    self.key = key
    self.sentAt = sentAt
  }

  /// The message in ASCII with CRLF line ends. Lines have at most 76 characters, except for lines
  /// with addresses or the key.
  package var bytes: [UInt8] {
    let host = from.split(separator: "@").last.map(String.init) ?? "localhost"
    var lines = ["From: <\(from)>"]
    // The field is folded, because the list of receivers may be long.
    lines.append("To: " + to.map { "<\($0)>" }.joined(separator: ",\r\n "))
    lines.append("Subject: " + Self.encodedWords(subject))
    lines.append("Date: " + HTTPDate.text(sentAt).replacing("GMT", with: "+0000"))
    lines.append("Message-ID: <\(key)@\(host)>")
    lines.append("Idempotency-Key: \(key)")
    // This field prevents automatic replies (RFC 3834).
    lines.append("Auto-Submitted: auto-generated")
    lines.append("MIME-Version: 1.0")
    lines.append("Content-Type: text/plain; charset=utf-8")
    lines.append("Content-Transfer-Encoding: base64")
    lines.append("")
    let text = body.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n") + "\r\n"
    lines += Self.cut(Base64.text(Array(text.utf8)), every: 76)
    return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
  }

  /// Returns the text for a header field, cut to 500 Unicode scalars. A space replaces each ASCII
  /// control character, U+2028 and U+2029. Short ASCII text without `=?` otherwise stays unchanged.
  /// Other text becomes encoded words (RFC 2047) in lines of at most 76 characters, without
  /// splitting a Unicode scalar between two lines.
  private static func encodedWords(_ text: String) -> String {
    let clean = String(
      String.UnicodeScalarView(
        text.unicodeScalars.prefix(500).map {
          $0.value < 32 || $0.value == 127 || $0.value == 0x2028 || $0.value == 0x2029 ? " " : $0
        }))
    if clean.utf8.allSatisfy({ $0 < 128 }), !clean.contains("=?"), clean.utf8.count <= 66 {
      return clean
    }
    var words: [String] = []
    var word: [UInt8] = []
    for scalar in clean.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      // 39 bytes become 52 base64 characters. With `=?utf-8?B?` and `?=`, they fit on one line with
      // the name of the field.
      if word.count + bytes.count > 39 {
        words.append("=?utf-8?B?\(Base64.text(word))?=")
        word = []
      }
      word += bytes
    }
    words.append("=?utf-8?B?\(Base64.text(word))?=")
    return words.joined(separator: "\r\n ")
  }

  private static func cut(_ text: String, every count: Int) -> [String] {
    let bytes = Array(text.utf8)
    return stride(from: 0, to: bytes.count, by: count).map {
      String(decoding: bytes[$0..<min($0 + count, bytes.count)], as: UTF8.self)
    }
  }
}

/// Email addresses in the plain form `name@example.org` (RFC 5321, section 4.1.2). Quoted names,
/// comments and display names are not allowed, so that a string cannot contain several addresses.
package enum EmailAddress {
  package static func isValid(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= 254, !parts[0].isEmpty, parts[0].utf8.count <= 64,
      !parts[1].isEmpty
    else { return false }
    return parts[0].utf8.allSatisfy {
      isLetterOrDigit($0) || ".!#$%&'*+-/=?^_`{|}~".utf8.contains($0)
    }
      && parts[1].utf8.allSatisfy { isLetterOrDigit($0) || $0 == 0x2E || $0 == 0x2D }
      && !parts[0].hasPrefix("-") && !parts[1].hasPrefix("-")
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
