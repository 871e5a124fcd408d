internal import Glibc

/// The search for the starts and ends of comments, CDATA sections and processing instructions, and
/// for the tags of items. For each kind, the start of the search must never move backwards. Each
/// byte is therefore searched only once for each kind.
struct RepairPlaces {
  enum Kind: Int, CaseIterable {
    case section, sectionEnd, comment, commentEnd, instruction, instructionEnd, itemTag
  }

  private let input: UnsafeRawBufferPointer
  /// The place that the last search for each kind found. The place is the input's end if the search
  /// found nothing, and -1 before the first search.
  private var found = [Int](repeating: -1, count: Kind.allCases.count)
  /// The prefixes that items may have: the two usual prefixes and the prefix of the root.
  private var prefixes = [Array("rss".utf8), Array("atom".utf8)]
  private(set) var stepCount = 0

  init(_ input: UnsafeRawBufferPointer) { self.input = input }

  mutating func add(prefix: [UInt8]) {
    if !prefix.isEmpty { prefixes.append(prefix) }
  }

  /// Returns the first place of the given kind at or after `start`, or the input's end. `start`
  /// must not be less than in an earlier call for the same kind.
  mutating func next(_ kind: Kind, from start: Int) -> Int {
    let known = found[kind.rawValue]
    if known >= start { return known }
    var place = max(start, 0)
    let first = Self.firstByte(kind)
    while let hit = find(first, from: place) {
      stepCount += hit - place + 1
      if isPlace(kind, hit) {
        found[kind.rawValue] = hit
        return hit
      }
      place = hit + 1
    }
    found[kind.rawValue] = input.count
    return input.count
  }

  private func find(_ byte: UInt8, from start: Int) -> Int? {
    guard let base = input.baseAddress, start < input.count,
      let hit = memchr(base + start, Int32(byte), input.count - start)
    else { return nil }
    return UnsafeRawPointer(hit) - base
  }

  private static func firstByte(_ kind: Kind) -> UInt8 {
    switch kind {
    case .section, .comment, .instruction, .itemTag: UInt8(ascii: "<")
    case .sectionEnd: UInt8(ascii: "]")
    case .commentEnd: UInt8(ascii: "-")
    case .instructionEnd: UInt8(ascii: "?")
    }
  }

  private func isPlace(_ kind: Kind, _ place: Int) -> Bool {
    switch kind {
    case .section: ASCII.matches("<![cdata[", in: input, at: place, caseless: true)
    case .sectionEnd: ASCII.matches("]]>", in: input, at: place)
    case .comment: ASCII.matches("<!--", in: input, at: place)
    case .commentEnd: ASCII.matches("-->", in: input, at: place)
    case .instruction: ASCII.matches("<?", in: input, at: place)
    case .instructionEnd: ASCII.matches("?>", in: input, at: place)
    case .itemTag: isItemTag(place)
    }
  }

  func isEndTag(_ place: Int) -> Bool {
    place + 1 < input.count && input[place + 1] == UInt8(ascii: "/")
  }

  private func isItemTag(_ place: Int) -> Bool {
    let start = place + (isEndTag(place) ? 2 : 1)
    var local = start
    for prefix in prefixes {
      if start < input.count, input[start...].starts(with: prefix),
        start + prefix.count < input.count,
        input[start + prefix.count] == UInt8(ascii: ":")
      {
        local = start + prefix.count + 1
      }
    }
    let isItem = ASCII.matches("item", in: input, at: local, caseless: true)
    guard isItem || ASCII.matches("entry", in: input, at: local, caseless: true) else {
      return false
    }
    let end = local + (isItem ? 4 : 5)
    guard end < input.count else { return true }
    return ASCII.isBlank(input[end]) || input[end] == 0x3E || input[end] == 0x2F
      || input[end] == 0x3C
  }
}

// MARK: - Ends

extension RepairPlaces {
  /// Returns the place of the CDATA section's `]]>`; nil if the section has no end. The next `]]>`
  /// does not end the section if `reachesOtherItem` returns true.
  mutating func sectionEnd(from start: Int, isInItem: Bool) -> Int? {
    let end = next(.sectionEnd, from: start)
    return end < input.count
      && !reachesOtherItem(start, end, next: next(.section, from: start), isInItem)
      ? end : nil
  }

  /// Returns the place of the comment's `-->`; nil if the comment has no end. The next `-->` does
  /// not end the comment if `reachesOtherItem` returns true. Within an item, it also does not end
  /// the comment if the first item tag between `start` and this `-->` is an end tag.
  mutating func commentEnd(from start: Int, isInItem: Bool) -> Int? {
    let end = next(.commentEnd, from: start)
    guard end < input.count else { return nil }
    let tag = next(.itemTag, from: start)
    if tag < end, isInItem, isEndTag(tag) { return nil }
    return reachesOtherItem(start, end, next: next(.comment, from: start), isInItem) ? nil : end
  }

  /// Whether `next`, the start of a later section or comment, and the next item tag both precede
  /// `end`. Within an item, only an end tag counts, because a start tag is part of the text.
  private mutating func reachesOtherItem(
    _ start: Int, _ end: Int, next: Int, _ isInItem: Bool
  ) -> Bool {
    let tag = self.next(.itemTag, from: start)
    return tag < end && next < end && (!isInItem || isEndTag(tag))
  }
}

/// The search for the tags of items. It skips comments and CDATA sections.
struct ItemTags {
  struct Tag {
    var place: Int
    var isEnd: Bool
  }

  var places: RepairPlaces
  private let count: Int
  private var current: Tag?
  private var position = 0
  private var isAtEnd = false
  /// Whether a CDATA section without an end was found.
  private var hasOpenSection = false

  init(_ input: UnsafeRawBufferPointer) {
    places = RepairPlaces(input)
    count = input.count
  }

  var stepCount: Int { places.stepCount }

  /// Whether the text has a CDATA section without an end. A parser may then read the next items as
  /// part of the section.
  static func areSwallowed(in text: UnsafeRawBufferPointer) -> Bool {
    var tags = ItemTags(text)
    while !tags.isAtEnd, !tags.hasOpenSection { tags.advance() }
    return tags.hasOpenSection
  }

  /// Returns the first tag of an item after `place`; nil if there is none. `place` must not be less
  /// than in an earlier call.
  mutating func next(after place: Int) -> Tag? {
    while !isAtEnd, current.map({ $0.place <= place }) ?? true { advance() }
    return current
  }

  private mutating func advance() {
    let isInItem = current.map { !$0.isEnd } ?? false
    while true {
      let tag = places.next(.itemTag, from: position)
      let section = places.next(.section, from: position)
      let comment = places.next(.comment, from: position)
      if section < min(tag, comment) {
        let end = places.sectionEnd(from: section + 9, isInItem: isInItem)
        if end == nil { hasOpenSection = true }
        position = end.map { $0 + 3 } ?? section + 9
      } else if comment < tag {
        let end = places.commentEnd(from: comment + 4, isInItem: isInItem)
        position = end.map { $0 + 3 } ?? comment + 4
      } else {
        isAtEnd = tag >= count
        current = isAtEnd ? nil : Tag(place: tag, isEnd: places.isEndTag(tag))
        position = tag + 1
        return
      }
    }
  }
}
