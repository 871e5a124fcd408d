/// The repair that rewrites an invalid feed as well-formed XML, because libxml2 drops every `&lt;`
/// after the first error.
///
/// The repair handles bare ampersands and `<`, HTML's entities, unquoted and duplicate attributes,
/// and attributes without a value. It also handles unclosed and unopened tags, and characters that
/// XML does not allow. It removes a DOCTYPE, and any text before the document.
///
/// An item begins at its tag, even if other elements are open (`FeedShape`). An unclosed comment,
/// CDATA section or attribute does not continue into the next item (`RepairPlaces`).
///
/// Entities of the DTD are replaced if their value is short plain text or one character reference.
/// These entities may add at most `XMLLimits.entityGrowthBytesMax` bytes. The running time is
/// linear in the size of the input.
package struct XMLRepair {
  /// An open element.
  struct Element {
    /// The place of the element's name in the input; empty if the repair has added the tag.
    var name: Range<Int>
    var made: StaticString?
    var hash: UInt64 = 0
    var kind: FeedElement
    var hasPrefix: Bool
  }

  let input: UnsafeRawBufferPointer
  var output: [UInt8] = []
  var index = 0
  var open: [Element] = []
  /// The indexes in `open` of the root, the containers and the items.
  var levels: [Int] = []
  var places: RepairPlaces
  var tags: ItemTags
  var kinds = FeedElementNames()
  var entities: [[UInt8]: [UInt8]] = [:]
  var growthLeft = XMLLimits.entityGrowthBytesMax
  var hasItem = false
  /// Whether a title was read directly in a container or an item. A later title directly in a
  /// container may then belong to an item whose start tag is missing.
  var hasTitle = false
  /// Whether the repair is after the root's end tag. All content there is dropped until an item or
  /// a channel begins.
  var isAfterEnd = false
  /// The place of the root's tag; nil while this place is unknown.
  var rootPlace: Int?

  /// The missing tags that the repair has noticed. Other damage is not recorded.
  struct Loss {
    /// Whether the root's end tag is missing, or an item or a channel follows the last such tag.
    var end = false
    /// Whether an element inside the root was closed without its end tag before the input's end.
    /// Also true if an end tag before the root's end has no open element.
    var tags = false
  }

  var loss = Loss()

  package static func repaired(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    repair(bytes).bytes
  }

  static func repair(_ bytes: UnsafeRawBufferPointer) -> (bytes: [UInt8], loss: Loss) {
    var repair = XMLRepair(bytes)
    repair.run()
    return (repair.output, repair.loss)
  }

  /// Returns a count of the bytes that the repair reads. Tests check that this count is linear in
  /// the input.
  package static func work(_ bytes: UnsafeRawBufferPointer) -> Int {
    var repair = XMLRepair(bytes)
    repair.run()
    return repair.stepCount + repair.places.stepCount + repair.tags.stepCount
  }

  /// The number of bytes read outside of `places` and `tags`.
  var stepCount = 0

  private init(_ bytes: UnsafeRawBufferPointer) {
    input = bytes
    places = RepairPlaces(bytes)
    tags = ItemTags(bytes)
    output.reserveCapacity(bytes.count + bytes.count / 16 + 64)
  }

  private mutating func run() {
    while index < input.count {
      let start = index
      switch input[index] {
      case UInt8(ascii: "<"): markup()
      case UInt8(ascii: "&"): textReference()
      default: text()
      }
      stepCount += index - start
    }
    loss.end = !isAfterEnd
    while !open.isEmpty { closeLast() }
  }

  /// Whether texts are dropped, because the position is before the root or after its end.
  var isOutside: Bool { open.isEmpty || isAfterEnd }

  var isInItem: Bool { levels.last.map { FeedShape.isItem(open[$0].kind) } ?? false }

  private mutating func text() {
    let start = index
    while index < input.count, input[index] != 0x3C, input[index] != 0x26 { index += 1 }
    if !isOutside { appendText(start..<index) }
  }

  private mutating func textReference() {
    guard isOutside else { return reference(end: input.count) }
    index += 1
  }

  func at(_ word: StaticString) -> Bool { ASCII.matches(word, in: input, at: index) }

  func at(caseless word: StaticString) -> Bool {
    ASCII.matches(word, in: input, at: index, caseless: true)
  }

  private mutating func markup() {
    if at("<!--") { return comment() }
    if at(caseless: "<![cdata[") { return cdata() }
    if at(caseless: "<!doctype") { return doctype() }
    if at("<?") { return instruction() }
    if at("<!") { return skipTag(from: index + 2) }
    if at("</"), XMLName.end(in: input, from: index + 2) > index + 2 { return endTag() }
    let end = XMLName.end(in: input, from: index + 1)
    if end > index + 1 { return startTag(index + 1..<end) }
    index += 1
    if !isOutside { append("&lt;") }
  }

  // MARK: - What is left out

  private mutating func comment() {
    if let end = places.commentEnd(from: index + 4, isInItem: isInItem) {
      index = end + 3
    } else {
      skipTag(from: index + 4)
    }
  }

  /// Skips a processing instruction. If no `?>` comes before the next tag of an item or the next
  /// instruction, skips to the next `>` or `<` instead.
  private mutating func instruction() {
    let end = places.next(.instructionEnd, from: index + 2)
    if end < places.next(.itemTag, from: index + 2),
      end <= places.next(.instruction, from: index + 2)
    {
      index = end + 2
    } else {
      skipTag(from: index + 2)
    }
  }

  /// Returns the place after the next `>`, or the place of the next `<` if `<` comes first. Returns
  /// the input's end if neither follows.
  func tagEnd(from start: Int) -> Int {
    var end = start
    while end < input.count, input[end] != 0x3E, input[end] != 0x3C { end += 1 }
    return end < input.count && input[end] == 0x3E ? end + 1 : end
  }

  mutating func skipTag(from start: Int) { index = tagEnd(from: start) }

  private mutating func cdata() {
    let start = index + 9
    let end: Int
    if let closed = places.sectionEnd(from: start, isInItem: isInItem) {
      (end, index) = (closed, closed + 3)
    } else {
      end = unclosedEnd(from: start)
      index = end
    }
    if !isOutside { appendText(start..<end) }
  }

  /// Returns the end of an unclosed CDATA section. The section ends at the first end tag of the
  /// innermost open element or of a known element, at the next item tag, or at the input's end.
  private mutating func unclosedEnd(from start: Int) -> Int {
    let limit = places.next(.itemTag, from: start)
    var place = start
    while place < limit {
      if input[place] == 0x3C, place + 1 < limit, input[place + 1] == 0x2F {
        let name = place + 2..<XMLName.end(in: input, from: place + 2)
        let isOpen = open.last.map { isNamed($0, name) } ?? false
        if isOpen || kinds.element(input, name) != .unknown { return place }
      }
      place += 1
    }
    return limit
  }
}

// MARK: - Output

extension XMLRepair {
  mutating func append(_ word: StaticString) {
    output.append(
      contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  /// Appends text in escaped form, without the characters that XML does not allow. `>` is escaped
  /// because `]]>` is an error in text.
  mutating func appendText(_ range: Range<Int>) {
    var place = range.lowerBound
    while place < range.upperBound {
      let byte = input[place]
      switch byte {
      case 0x26: append("&amp;")
      case 0x3C: append("&lt;")
      case 0x3E: append("&gt;")
      case 0x09, 0x0A, 0x0D, 0x20...0xEE, 0xF0...0xFF: output.append(byte)
      case 0xEF where isNoncharacter(place):
        place += 3
        continue
      case 0xEF: output.append(byte)
      default: break
      }
      place += 1
    }
  }

  /// Whether U+FFFE (EF BF BE) or U+FFFF (EF BF BF) is at the given place.
  func isNoncharacter(_ place: Int) -> Bool {
    place + 2 < input.count && input[place] == 0xEF && input[place + 1] == 0xBF
      && input[place + 2] >= 0xBE
  }

  mutating func appendName(_ element: Element) {
    if let made = element.made {
      append(made)
    } else {
      output.append(contentsOf: input[element.name])
    }
  }
}
