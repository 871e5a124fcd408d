/// Rewrites what browsers would read but XML forbids into well-formed XML, so that libxml2 reads
/// all of it: bare ampersands and `<`, HTML's entities, unquoted, double or empty attributes, tags
/// that are not closed or not open, control characters, text before the document, a DOCTYPE.
///
/// Entities that the DTD declares as plain text are replaced, within
/// `XMLLimits.entityGrowthBytesMax`; all others stay as text. Linear in the input.
struct XMLRepair {
  private let input: UnsafeRawBufferPointer
  private var output: [UInt8] = []
  private var index = 0
  /// The names of the open elements, as places in the input.
  private var open: [Range<Int>] = []
  private var entities: [[UInt8]: [UInt8]] = [:]
  private var growthLeft = XMLLimits.entityGrowthBytesMax
  private var hasRoot = false
  /// First bytes of the ends that do not occur any more.
  private var missing: [UInt8] = []

  static func repaired(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var repair = XMLRepair(bytes)
    repair.run()
    return repair.output
  }

  private init(_ bytes: UnsafeRawBufferPointer) {
    input = bytes
    output.reserveCapacity(bytes.count + bytes.count / 16 + 64)
  }

  private mutating func run() {
    while index < input.count {
      switch input[index] {
      case UInt8(ascii: "<"): markup()
      case UInt8(ascii: "&"): reference(end: input.count)
      default: text()
      }
    }
    while !open.isEmpty { closeLast() }
  }

  private mutating func text() {
    let start = index
    while index < input.count, input[index] != 0x3C, input[index] != 0x26 { index += 1 }
    guard !open.isEmpty else { return }
    appendClean(start..<index)
  }

  /// Copies bytes that need no escapes but for characters that XML does not have.
  private mutating func appendClean(_ range: Range<Int>) {
    for byte in input[range] {
      if byte >= 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { output.append(byte) }
    }
  }

  private func at(_ word: StaticString) -> Bool { ASCII.matches(word, in: input, at: index) }

  private mutating func markup() {
    if at("<!--") { return skip(past: "-->", from: index + 4) }
    if at("<![CDATA[") { return cdata() }
    if ASCII.matches("<!doctype", in: input, at: index, caseless: true) { return doctype() }
    if at("<?") { return skip(past: "?>", from: index + 2) }
    if at("<!") { return skip(past: ">", from: index + 2) }
    if at("</"), nameEnd(from: index + 2) > index + 2 { return endTag() }
    let end = nameEnd(from: index + 1)
    if end > index + 1, isNameStart(input[index + 1]) { return startTag(index + 1..<end) }
    index += 1
    if !open.isEmpty { append("&lt;") }
  }

  /// What was looked for in vain is not looked for again: else many of `<!--` cost a square.
  private mutating func findOnce(_ word: StaticString, from start: Int) -> Int? {
    let kind = word.utf8Start.pointee
    guard !missing.contains(kind) else { return nil }
    let found = ASCII.find(word, in: input, from: start)
    if found == nil { missing.append(kind) }
    return found
  }

  private mutating func skip(past word: StaticString, from start: Int) {
    if let end = findOnce(word, from: start) {
      index = end + word.utf8CodeUnitCount
    } else if let end = ASCII.find(">", in: input, from: start) {
      index = end + 1
    } else {
      index = input.count
    }
  }

  private mutating func cdata() {
    let start = index + 9
    let end = findOnce("]]>", from: start) ?? unclosedEnd(from: start)
    index = min(end + (end < input.count && input[end] == 0x5D ? 3 : 0), input.count)
    guard !open.isEmpty else { return }
    for byte in input[start..<max(start, end)] {
      switch byte {
      case 0x26: append("&amp;")
      case 0x3C: append("&lt;")
      case 0x3E: append("&gt;")
      default:
        if byte >= 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { output.append(byte) }
      }
    }
  }

  /// A CDATA section without end goes on to the end tag of the element that it is in.
  private func unclosedEnd(from start: Int) -> Int {
    guard let name = open.last else { return input.count }
    var from = start
    while let found = ASCII.find("</", in: input, from: from) {
      let range = found + 2..<nameEnd(from: found + 2)
      if input[range].elementsEqual(input[name]) { return found }
      from = found + 2
    }
    return input.count
  }

  private func isNameStart(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  private func nameEnd(from start: Int) -> Int {
    var end = start
    while end < input.count {
      let byte = input[end]
      guard isNameStart(byte) || ASCII.isDigit(byte) || byte == 0x2D || byte == 0x2E || byte == 0x3A
      else { break }
      end += 1
    }
    return end
  }

  private mutating func endTag() {
    let name = index + 2..<nameEnd(from: index + 2)
    index = (ASCII.find(">", in: input, from: name.upperBound) ?? input.count - 1) + 1
    guard let depth = open.lastIndex(where: { sameName($0, name) }) else { return }
    while open.count > depth { closeLast() }
  }

  private func sameName(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    left.count == right.count
      && zip(input[left], input[right]).allSatisfy { ASCII.lowered($0) == ASCII.lowered($1) }
  }

  private mutating func closeLast() {
    guard let name = open.popLast() else { return }
    append("</")
    output.append(contentsOf: input[name])
    append(">")
  }

  private mutating func startTag(_ name: Range<Int>) {
    let start = output.count
    closeOpenItem(before: name)
    append("<")
    output.append(contentsOf: input[name])
    index = name.upperBound
    let isEmpty = attributes()
    guard !open.isEmpty || !hasRoot, open.count < XMLLimits.depthMax else {
      output.removeSubrange(start...)
      return
    }
    hasRoot = true
    append(isEmpty ? "/>" : ">")
    if !isEmpty { open.append(name) }
  }

  /// A new item inside an item means that the old one was not closed.
  private mutating func closeOpenItem(before name: Range<Int>) {
    guard name.count == 4 || name.count == 5,
      ASCII.matches("item", in: input, at: name.lowerBound) && name.count == 4
        || ASCII.matches("entry", in: input, at: name.lowerBound) && name.count == 5,
      let depth = open.lastIndex(where: { sameName($0, name) })
    else { return }
    while open.count > depth { closeLast() }
  }

  private mutating func append(_ word: StaticString) {
    output.append(
      contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }
}

// MARK: - Attributes

extension XMLRepair {
  /// Copies the attributes up to the tag's end; true where the tag closes itself.
  private mutating func attributes() -> Bool {
    var seen: [Range<Int>] = []
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
      if isNameStart(byte) { attribute(&seen) } else { index += 1 }
    }
    return false
  }

  private mutating func attribute(_ seen: inout [Range<Int>]) {
    let name = index..<nameEnd(from: index)
    index = ASCII.skipBlanks(input, from: name.upperBound)
    var value = name
    if index < input.count, input[index] == UInt8(ascii: "=") {
      index = ASCII.skipBlanks(input, from: index + 1)
      value = attributeValue()
    }
    guard seen.count < XMLLimits.attributeCountMax, !seen.contains(where: { sameName($0, name) })
    else { return }
    seen.append(name)
    append(" ")
    output.append(contentsOf: input[name])
    append("=\"")
    let after = index
    index = value.lowerBound
    while index < value.upperBound {
      switch input[index] {
      case 0x26: reference(end: value.upperBound)
      case 0x3C: escape("&lt;")
      case 0x22: escape("&quot;")
      default:
        appendClean(index..<index + 1)
        index += 1
      }
    }
    index = after
    append("\"")
  }

  private mutating func escape(_ word: StaticString) {
    append(word)
    index += 1
  }

  /// The place of a value in quotes or without, and the index behind it.
  private mutating func attributeValue() -> Range<Int> {
    guard index < input.count else { return index..<index }
    let quote = input[index]
    if quote == 0x22 || quote == 0x27 {
      var end = index + 1
      while end < input.count, input[end] != quote { end += 1 }
      defer { index = min(end + 1, input.count) }
      return index + 1..<end
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
}

// MARK: - References and the DTD

extension XMLRepair {
  /// Longer names are not entities.
  private static let entityNameBytesMax = 32

  private mutating func reference(end: Int) {
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
    if !open.isEmpty || hasRoot || !output.isEmpty { append("&amp;") }
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

  private mutating func appendEscaped(_ text: [UInt8]) {
    guard !open.isEmpty || output.last != UInt8(ascii: ">") else { return }
    for byte in text {
      switch byte {
      case 0x26: append("&amp;")
      case 0x3C: append("&lt;")
      case 0x3E: append("&gt;")
      case 0x22: append("&quot;")
      default: output.append(byte)
      }
    }
  }

  /// Passes over the DOCTYPE and remembers the entities that it declares as plain text.
  private mutating func doctype() {
    index += 9
    var isInside = false
    while index < input.count {
      switch input[index] {
      case UInt8(ascii: "["): isInside = true
      case UInt8(ascii: "]"): isInside = false
      case UInt8(ascii: ">") where !isInside:
        index += 1
        return
      case UInt8(ascii: "<") where isInside:
        if at("<!ENTITY") {
          declaration()
        } else {
          skip(past: at("<!--") ? "-->" : ">", from: index)
        }
        continue
      case UInt8(ascii: "<"): return
      default: break
      }
      index += 1
    }
  }

  private mutating func declaration() {
    let nameStart = ASCII.skipBlanks(input, from: index + 8)
    let name = nameStart..<nameEnd(from: nameStart)
    index = ASCII.skipBlanks(input, from: name.upperBound)
    guard index < input.count else { return }
    let quote = input[index]
    guard !name.isEmpty, quote == 0x22 || quote == 0x27 else { return skip(past: ">", from: index) }
    let start = index + 1
    var end = start
    while end < input.count, input[end] != quote { end += 1 }
    index = min(end + 1, input.count)
    skip(past: ">", from: index)
    let value = Array(input[start..<end])
    guard value.count <= 256, entities.count < 256 else { return }
    let plain = value.allSatisfy { $0 != 0x3C && $0 != 0x25 && $0 >= 0x20 }
    guard plain, entities[Array(input[name])] == nil else { return }
    if !value.contains(0x26) {
      entities[Array(input[name])] = value
    } else if let text = value.withUnsafeBytes({ CharacterReference.whole($0) }) {
      entities[Array(input[name])] = Array(String(text).utf8)
    }
  }
}
