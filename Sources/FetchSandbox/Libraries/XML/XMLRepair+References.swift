// MARK: - References and the DTD

extension XMLRepair {
  private static let entityNameBytesMax = 32

  /// Replaces the reference at `index` by the text that it stands for, in escaped form. Escapes an
  /// ampersand that does not begin a known reference, or whose entity is longer than `growthLeft`.
  /// Drops a numeric reference to a character that XML does not allow.
  mutating func reference(end: Int) {
    let start = index + 1
    if start < end, input[start] == UInt8(ascii: "#") {
      if let (scalar, after) = CharacterReference.numeric(input, from: start + 1, to: end) {
        index = after
        if isXML(scalar) { appendEscaped(Array(String(scalar).utf8)) }
        return
      }
    } else {
      var stop = start
      while stop < end, stop - start < Self.entityNameBytesMax,
        ASCII.isLetter(input[stop]) || ASCII.isDigit(input[stop]) || input[stop] == 0x5F
          || input[stop] == 0x2D || input[stop] == 0x2E
      {
        stop += 1
      }
      if stop < end, stop > start, input[stop] == UInt8(ascii: ";"),
        let value = value(ofEntity: Array(input[start..<stop]))
      {
        index = stop + 1
        appendEscaped(value)
        return
      }
    }
    index = start
    append("&amp;")
  }

  private mutating func value(ofEntity name: [UInt8]) -> [UInt8]? {
    if let declared = entities[name] {
      guard declared.count <= growthLeft else { return nil }
      growthLeft -= declared.count
      return declared
    }
    return CharacterReference.named(name).map { Array(String($0).utf8) }
  }

  private func isXML(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...: true
    default: false
    }
  }

  /// Appends the text in escaped form. Writes tabs and line ends as references, because parsers
  /// normalize literal tabs and line ends (XML 1.0, 2.11 and 3.3.3).
  private mutating func appendEscaped(_ text: [UInt8]) {
    for byte in text {
      switch byte {
      case 0x26: append("&amp;")
      case 0x3C: append("&lt;")
      case 0x3E: append("&gt;")
      case 0x22: append("&quot;")
      case 0x09: append("&#9;")
      case 0x0A: append("&#10;")
      case 0x0D: append("&#13;")
      default: output.append(byte)
      }
    }
  }

  /// Skips the DOCTYPE. Stores the entities that `declare` accepts: their value is short plain text
  /// or one character reference.
  mutating func doctype() {
    index += 9
    var isInside = false
    while index < input.count {
      switch input[index] {
      case UInt8(ascii: "["): isInside = true
      case UInt8(ascii: "]"): isInside = false
      case UInt8(ascii: ">") where !isInside:
        index += 1
        return
      case UInt8(ascii: "<"):
        guard isInside, at("<!") || at("<?") else { return }
        if at("<!ENTITY") {
          declaration()
        } else if at("<!--"), let end = places.commentEnd(from: index + 4, isInItem: false) {
          index = end + 3
        } else {
          skipTag(from: index + 1)
        }
        continue
      default: break
      }
      index += 1
    }
  }

  private mutating func declaration() {
    let nameStart = ASCII.skipBlanks(input, from: index + 8)
    let name = nameStart..<XMLName.end(in: input, from: nameStart)
    index = ASCII.skipBlanks(input, from: name.upperBound)
    guard index < input.count else { return }
    let quote = input[index]
    guard !name.isEmpty, quote == 0x22 || quote == 0x27 else { return skipTag(from: index) }
    let start = index + 1
    var end = start
    while end < input.count, end - start <= Self.entityValueBytesMax, input[end] != quote {
      end += 1
    }
    guard end < input.count, input[end] == quote else { return skipTag(from: start) }
    skipTag(from: end + 1)
    declare(Array(input[name]), Array(input[start..<end]))
  }

  private static let entityValueBytesMax = 256
  private static let entityCountMax = 256

  private mutating func declare(_ name: [UInt8], _ value: [UInt8]) {
    guard value.count <= Self.entityValueBytesMax, entities.count < Self.entityCountMax,
      entities[name] == nil, value.allSatisfy({ $0 != 0x3C && $0 != 0x25 && $0 >= 0x20 }),
      !value.contains(0xEF)
        || value.withUnsafeBytes({
          ASCII.find("\u{FFFE}", in: $0, from: 0) == nil
            && ASCII.find("\u{FFFF}", in: $0, from: 0) == nil
        })
    else { return }
    if !value.contains(0x26) {
      entities[name] = value
    } else if let text = value.withUnsafeBytes({ CharacterReference.whole($0) }), isXML(text) {
      entities[name] = Array(String(text).utf8)
    }
  }
}
