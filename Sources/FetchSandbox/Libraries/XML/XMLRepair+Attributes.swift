// MARK: - Attributes

extension XMLRepair {
  /// Copies the attributes up to the tag's end. Returns whether the tag closes itself.
  mutating func attributes() -> Bool {
    var seen: Set<[UInt8]> = []
    while index < input.count {
      let byte = input[index]
      if byte == UInt8(ascii: ">") {
        index += 1
        return false
      }
      if byte == UInt8(ascii: "/"), index + 1 < input.count, input[index + 1] == UInt8(ascii: ">") {
        index += 2
        return true
      }
      if byte == UInt8(ascii: "<") { return false }
      let end = XMLName.end(in: input, from: index)
      if end > index { attribute(index..<end, &seen) } else { index += 1 }
    }
    return false
  }

  mutating func skipAttributes() {
    let start = output.count
    _ = attributes()
    output.removeSubrange(start...)
  }

  private mutating func attribute(_ name: Range<Int>, _ seen: inout Set<[UInt8]>) {
    index = ASCII.skipBlanks(input, from: name.upperBound)
    var value = name
    if index < input.count, input[index] == UInt8(ascii: "=") {
      index = ASCII.skipBlanks(input, from: index + 1)
      value = attributeValue()
    }
    guard seen.count < XMLLimits.attributeCountMax,
      seen.insert(input[name].map(ASCII.lowered)).inserted
    else { return }
    append(" ")
    output.append(contentsOf: input[name])
    append("=\"")
    let after = index
    index = value.lowerBound
    while index < value.upperBound {
      switch input[index] {
      case 0x26: reference(end: value.upperBound)
      case 0x22:
        append("&quot;")
        index += 1
      default:
        let start = index
        while index < value.upperBound, input[index] != 0x26, input[index] != 0x22 { index += 1 }
        appendText(start..<index)
      }
    }
    index = after
    append("\"")
  }

  /// Returns the place of a quoted or unquoted value and moves `index` past it.
  private mutating func attributeValue() -> Range<Int> {
    guard index < input.count else { return index..<index }
    let quote = input[index]
    if quote == 0x22 || quote == 0x27 {
      index += 1
      if let end = quotedEnd(quote) {
        defer { index = end + 1 }
        return index..<end
      }
      let start = index
      while index < input.count, input[index] != 0x3E, input[index] != 0x3C { index += 1 }
      if index > start, index < input.count, input[index] == 0x3E, input[index - 1] == 0x2F {
        index -= 1
      }
      return start..<index
    }
    let start = index
    while index < input.count, !ASCII.isBlank(input[index]), input[index] != 0x3E,
      input[index] != 0x3C
    {
      if input[index] == 0x2F, index + 1 < input.count, input[index + 1] == 0x3E { break }
      index += 1
    }
    return start..<index
  }

  /// Returns the place of a value's closing quote; nil if there is none, or if the next quote seems
  /// to belong to another value. A value that contains `<` must be on one line and contain no item
  /// tag. Its quote must precede a blank, `>`, `/`, `?` or the input's end.
  private mutating func quotedEnd(_ quote: UInt8) -> Int? {
    var end = index
    var hasTag = false
    var hasLineEnd = false
    while end < input.count, input[end] != quote {
      if input[end] == 0x3C { hasTag = true }
      if input[end] == 0x0A || input[end] == 0x0D { hasLineEnd = true }
      end += 1
    }
    stepCount += end - index
    guard end < input.count else { return nil }
    guard hasTag else { return end }
    let next = end + 1 < input.count ? input[end + 1] : 0x3E
    let isEnd = ASCII.isBlank(next) || next == 0x3E || next == 0x2F || next == 0x3F
    return isEnd && !hasLineEnd && places.next(.itemTag, from: index) > end ? end : nil
  }
}
