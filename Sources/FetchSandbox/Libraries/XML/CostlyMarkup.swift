internal import Glibc

/// The detector of markup that takes libxml2 quadratic time to read. It runs before libxml2 reads
/// the markup.
///
/// libxml2 compares each attribute of an element with all earlier attributes.
/// `XMLLimits.attributeCountMax` limits this work. Each `--` in a comment is an error whose message
/// contains the whole comment. A comment of 200 KB can therefore take 4 s.
enum CostlyMarkup {
  /// The minimum length in bytes of a tag with too many attributes. Each attribute has at least two
  /// bytes: ` a`.
  private static let suspiciousBytesMin = XMLLimits.attributeCountMax * 2

  /// Whether XML contains markup that takes quadratic time. Checks comments, and the tags that are
  /// long enough to have too many attributes. Measures the length of a tag by the distance between
  /// two `<`, because an attribute's value cannot contain `<`.
  static func found(in bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    var last = -1
    var index = 0
    while index < bytes.count {
      let found = memchr(base + index, 0x3C, bytes.count - index)
      let next = found.map { UnsafeRawPointer($0) - base } ?? bytes.count
      if last >= 0, next - last > suspiciousBytesMin, isWide(bytes, from: last, to: next) {
        return true
      }
      if isDashedComment(bytes, at: next) { return true }
      last = next
      index = next + 1
    }
    return false
  }

  private static func isWide(_ bytes: UnsafeRawBufferPointer, from: Int, to: Int) -> Bool {
    guard isTag(bytes, at: from), from + 1 < to else { return false }
    var tag = TagScanner()
    for index in from + 1..<to {
      tag.take(bytes[index])
      if tag.attributeCount > XMLLimits.attributeCountMax { return true }
      if tag.isAtEnd { break }
    }
    return false
  }

  /// The maximum number of `--` in a comment. A sequence of n hyphens counts as n - 1.
  private static let dashPairCountMax = 64

  private static func isDashedComment(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
    guard ASCII.matches("<!--", in: bytes, at: start) else { return false }
    var count = 0
    var index = start + 4
    while index + 1 < bytes.count {
      if bytes[index] != 0x2D || bytes[index + 1] != 0x2D {
        index += 1
        continue
      }
      if index + 2 < bytes.count, bytes[index + 2] == UInt8(ascii: ">") { return false }
      count += 1
      if count > dashPairCountMax { return true }
      index += 1
    }
    return false
  }

  private static func isTag(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
    guard index + 1 < bytes.count else { return false }
    let next = bytes[index + 1]
    return ASCII.isLetter(next) || next == UInt8(ascii: "_") || next >= 0x80
  }

  /// Whether the name of the tag is `script`. Longer names, such as `scripts`, are other elements.
  private static func isScript(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
    guard ASCII.matches("script", in: bytes, at: start, caseless: true) else { return false }
    let end = start + 6
    return end >= bytes.count || ASCII.isBlank(bytes[end]) || bytes[end] == UInt8(ascii: "/")
      || bytes[end] == UInt8(ascii: ">")
  }

  /// Whether an HTML tag may have more attributes than `XMLLimits.attributeCountMax`. In HTML, a
  /// value may contain `<`, and an attribute needs no value. Scripts are skipped, because their
  /// code may look like tags. The tags are read as each version of libxml2 reads them.
  static func foundInHTML(_ bytes: UnsafeRawBufferPointer) -> Bool {
    TagScanner.Names.allCases.contains { foundInHTML(bytes, $0) }
  }

  private static func foundInHTML(_ bytes: UnsafeRawBufferPointer, _ names: TagScanner.Names)
    -> Bool
  {
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "<"), isTag(bytes, at: index) else {
        index += 1
        continue
      }
      let isScript = isScript(bytes, at: index + 1)
      index += 1
      var tag = TagScanner(names: names)
      while index < bytes.count, !tag.isAtEnd {
        tag.take(bytes[index])
        if tag.attributeCount > XMLLimits.attributeCountMax { return true }
        index += 1
      }
      if isScript {
        index = ASCII.find("</script", in: bytes, from: index, caseless: true) ?? bytes.count
      }
    }
    return false
  }
}
