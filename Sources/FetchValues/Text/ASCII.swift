/// The byte classes of the HTTP and URL grammars (RFC 5234 appendix B.1).
extension UInt8 {
  @inlinable public var isASCIIDigit: Bool {
    self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9")
  }
  @inlinable public var isASCIILetter: Bool {
    (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z")
  }
  package var isASCIIHexDigit: Bool { hexDigitValue != nil }

  @inlinable public var asciiLowercased: UInt8 {
    self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
  }

  /// Whether the byte is a `tchar` (RFC 9110 section 5.6.2), as in methods and header names.
  @inlinable public var isTokenByte: Bool {
    isASCIIDigit || isASCIILetter || "!#$%&'*+-.^_`|~".utf8.contains(self)
  }
}

extension StringProtocol {
  /// The text with its ASCII letters in lower case; see `String.asciiLowercased`.
  @inlinable public var asciiLowercased: String { String(self).asciiLowercased }

  @inlinable public func hasSameBytes(as other: some StringProtocol) -> Bool {
    // Swift strings are contiguous UTF-8, except rare foreign strings.
    let isEqual = utf8.withContiguousStorageIfAvailable { own in
      other.utf8.withContiguousStorageIfAvailable { other in
        own.count == other.count && own.elementsEqual(other)
      }
    }
    return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  package var trimmingHTTPSpace: SubSequence {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    var rest = self[...]
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return rest.drop(while: isSpace)
  }
}

extension String {
  /// The text with its ASCII letters in lower case. Other letters do not change, because Unicode's
  /// rules must not change protocol names.
  public var asciiLowercased: String {
    guard utf8.contains(where: { $0 != $0.asciiLowercased }) else { return self }
    var text = self
    return text.withUTF8 { bytes in
      String(unsafeUninitializedCapacity: bytes.count) { lower in
        for index in bytes.indices { lower[index] = bytes[index].asciiLowercased }
        return bytes.count
      }
    }
  }

  /// Whether the text is equal to another one, apart from the case of ASCII letters.
  package func hasSameLetters(as other: String) -> Bool {
    utf8.count == other.utf8.count
      && utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
  }

  /// Whether the text is `lower`, which has no upper-case letters, in upper or lower case. Only
  /// ASCII letters have two cases.
  package func equals(_ lower: StaticString) -> Bool {
    let count = lower.utf8CodeUnitCount
    guard utf8.count == count else { return false }
    var text = self
    return text.withUTF8 { bytes in
      (0..<count).allSatisfy { bytes[$0].asciiLowercased == lower.utf8Start[$0] }
    }
  }
}
