/// One edit of a feed's bytes.
package struct FeedMutation: Sendable {
  /// The kinds of damage to a feed's text.
  package enum Kind: String, CaseIterable, Sendable {
    case endTagMissing = "end tag missing"
    case startTagMissing = "start tag missing"
    case tagMistyped = "tag mistyped"
    case tagsCrossed = "tags crossed"
    case tagLeftOpen = "tag inserted and left open"
    case markMissing = "CDATA or comment mark missing or mistyped"
    case cutShort = "cut short"
    case pieceCutOut = "piece cut out"
    case strayCharacter = "stray character"
  }

  var kind: Kind
  var range: Range<Int>
  var replacement: [UInt8]

  /// Returns the bytes after the edit.
  package func applied(to bytes: [UInt8]) -> [UInt8] {
    Array(bytes[..<range.lowerBound]) + replacement + Array(bytes[range.upperBound...])
  }

  /// Whether the edit changes bytes of the given range. An insertion before the first byte or after
  /// the last byte of the range does not.
  func damages(_ other: Range<Int>) -> Bool {
    range.isEmpty
      ? range.lowerBound > other.lowerBound && range.lowerBound < other.upperBound
      : range.overlaps(other)
  }
}

/// A well-formed feed, and the places at which it can be damaged.
package struct MutatedFeed: Sendable {
  package let bytes: [UInt8]
  private(set) var tags: [Range<Int>] = []
  private(set) var marks: [Range<Int>] = []
  /// The ranges of the items, from the first byte of the start tag to the last byte of the end tag.
  package private(set) var items: [Range<Int>] = []
  /// The ranges of the feed's own authors and language, which its items inherit.
  private(set) var inherited: [Range<Int>] = []
  /// The indexes of the first bytes of all characters.
  private var places: [Int] = []
  private var startTags: [Range<Int>] = []
  private var endTags: [Range<Int>] = []
  private var mistypedNames: [(Range<Int>, [UInt8])] = []
  private var brokenMarks: [(Range<Int>, [UInt8])] = []

  package init(_ text: String) {
    bytes = Array(text.utf8)
    var index = 0
    var itemStart: Int?
    var inheritedStart = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "<") else {
        index += 1
        continue
      }
      if let end = markedEnd(index, "<![CDATA[", "]]>") ?? markedEnd(index, "<!--", "-->") {
        let length = bytes[index + 2] == UInt8(ascii: "[") ? 9 : 4
        marks += [index..<index + length, end - 3..<end]
        index = end
        continue
      }
      let end = (bytes[index...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count - 1) + 1
      let tag = index..<end
      if bytes[index + 1] != UInt8(ascii: "?"), bytes[index + 1] != UInt8(ascii: "!") {
        tags.append(tag)
        switch name(of: tag).split(separator: ":").last ?? "" {
        case "item", "entry":
          if isEnd(tag), let start = itemStart {
            items.append(start..<end)
            itemStart = nil
          } else {
            itemStart = index
          }
        case "author", "owner", "language":
          guard itemStart == nil else { break }
          if isEnd(tag) {
            inherited.append(inheritedStart..<end)
          } else {
            inheritedStart = index
          }
        default: break
        }
      }
      index = end
    }
    findPlaces()
  }

  private func starts(_ word: String, at index: Int) -> Bool {
    bytes[index...].starts(with: word.utf8)
  }

  private func markedEnd(_ index: Int, _ open: String, _ close: String) -> Int? {
    guard starts(open, at: index) else { return nil }
    var end = index + open.utf8.count
    while end < bytes.count, !starts(close, at: end) { end += 1 }
    return end + 3
  }

  private func isEnd(_ tag: Range<Int>) -> Bool { bytes[tag.lowerBound + 1] == UInt8(ascii: "/") }

  private func nameRange(_ tag: Range<Int>) -> Range<Int> {
    let start = tag.lowerBound + (isEnd(tag) ? 2 : 1)
    let end =
      bytes[start...].firstIndex { $0 <= 0x20 || $0 == 0x2F || $0 == 0x3E } ?? tag.upperBound
    return start..<end
  }

  private func name(of tag: Range<Int>) -> String {
    String(decoding: bytes[nameRange(tag)], as: UTF8.self)
  }
}

// MARK: - The damage

extension MutatedFeed {
  static let strayTexts = [
    "<", ">", "&", "\"", "'", "/", "]]>", "<!--", "-->", "<![CDATA[", "<?", "=", "\u{1}",
    "\u{FFFE}", "\u{FFFF}", "é", "&bogus;", "</", "<b", "x",
  ]
  static let openTags = [
    "<p>", "<description>", "<title>", "<itunes:category text=\"x\">", "<div class=\"a\">",
    "<author>", "<br>", "<unknown:tag>", "<link>", "<content:encoded>",
  ]
  static let pieceBytes = [1, 7, 60, 400]

  /// Returns the number of possible mutations of a kind.
  package func count(_ kind: FeedMutation.Kind) -> Int {
    switch kind {
    case .endTagMissing: endTags.count
    case .startTagMissing: startTags.count
    case .tagMistyped: mistypedNames.count
    case .tagsCrossed: max(0, tags.count - 1)
    case .tagLeftOpen: tags.count * 2 * Self.openTags.count
    case .markMissing: brokenMarks.count
    case .cutShort: places.count
    case .pieceCutOut: places.count * Self.pieceBytes.count
    case .strayCharacter: places.count * Self.strayTexts.count
    }
  }

  /// Returns the mutation of the given kind and number. The number is at least 0 and less than
  /// `count`.
  package func mutation(_ kind: FeedMutation.Kind, _ number: Int) -> FeedMutation {
    func edit(_ range: Range<Int>, _ text: [UInt8] = []) -> FeedMutation {
      FeedMutation(kind: kind, range: range, replacement: text)
    }
    switch kind {
    case .endTagMissing: return edit(endTags[number])
    case .startTagMissing: return edit(startTags[number])
    case .tagMistyped: return edit(mistypedNames[number].0, mistypedNames[number].1)
    case .tagsCrossed:
      let (left, right) = (tags[number], tags[number + 1])
      var text = Array(bytes[right])
      text += bytes[left.upperBound..<right.lowerBound]
      text += bytes[left]
      return edit(left.lowerBound..<right.upperBound, text)
    case .tagLeftOpen:
      let tag = tags[number / Self.openTags.count / 2]
      let isBehind = number / Self.openTags.count % 2 == 1
      let place = isBehind ? tag.upperBound : tag.lowerBound
      return edit(place..<place, Array(Self.openTags[number % Self.openTags.count].utf8))
    case .markMissing: return edit(brokenMarks[number].0, brokenMarks[number].1)
    case .cutShort: return edit(places[number]..<bytes.count)
    case .pieceCutOut:
      let place = places[number / Self.pieceBytes.count]
      let end = scalarStart(place + Self.pieceBytes[number % Self.pieceBytes.count])
      return edit(place..<end)
    case .strayCharacter:
      let place = places[number / Self.strayTexts.count]
      return edit(place..<place, Array(Self.strayTexts[number % Self.strayTexts.count].utf8))
    }
  }

  private func scalarStart(_ index: Int) -> Int {
    var index = min(index, bytes.count)
    while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
    return index
  }

  /// Returns the mistyped forms of a tag: a missing letter, two swapped letters, a doubled letter,
  /// a space in the name, and a missing bracket.
  private func mistyped(_ tag: Range<Int>) -> [(Range<Int>, [UInt8])] {
    let range = nameRange(tag)
    let name = Array(bytes[range])
    let middle = name.count / 2
    var swapped = name
    if middle > 0 { swapped.swapAt(middle - 1, middle) }
    return [
      (range, Array(name[..<middle] + name[(middle + 1)...])), (range, swapped),
      (range, name[..<middle] + [name[middle]] + name[middle...]),
      (range, name[..<middle] + [0x20] + name[middle...]),
      (tag.lowerBound..<tag.lowerBound + 1, []), (tag.upperBound - 1..<tag.upperBound, []),
    ]
  }

  /// Returns the broken forms of a mark. The whole mark or one of its bytes is missing, or a letter
  /// of `<![CDATA[` is in lower case.
  private func broken(_ mark: Range<Int>) -> [(Range<Int>, [UInt8])] {
    var broken: [(Range<Int>, [UInt8])] = [(mark, [])]
    for place in mark { broken.append((place..<place + 1, [])) }
    if mark.count == 9 { broken.append((mark.lowerBound + 7..<mark.lowerBound + 8, [0x61])) }
    return broken
  }

  private mutating func findPlaces() {
    places = bytes.indices.filter { bytes[$0] & 0xC0 != 0x80 }
    startTags = tags.filter { !isEnd($0) }
    endTags = tags.filter(isEnd)
    mistypedNames = tags.flatMap(mistyped)
    brokenMarks = marks.flatMap(broken)
  }
}
