/// The text that a reader sees on a page: blocks on separate lines, white space collapsed, `pre`
/// unchanged, list items marked, without scripts, styles and heads.
enum ReadableText {
  static func text(_ html: UnsafeRawBufferPointer) -> [UInt8] {
    collapsed(HTMLText.blocks(html))
  }

  /// Collapses blanks to one, trims lines, and keeps at most one empty line in a row.
  private static func collapsed(_ text: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var hasBlank = false
    var breaks = 0
    for byte in text {
      if byte == HTMLText.blockMark || byte == HTMLText.lineMark {
        breaks = max(breaks, byte == HTMLText.blockMark ? 2 : min(breaks + 1, 2))
        hasBlank = false
      } else if ASCII.isBlank(byte) {
        hasBlank = true
      } else {
        if !output.isEmpty {
          if breaks > 0 {
            output.append(contentsOf: repeatElement(0x0A, count: breaks))
          } else if hasBlank {
            output.append(0x20)
          }
        }
        (hasBlank, breaks) = (false, 0)
        output.append(byte)
      }
    }
    return output
  }
}
