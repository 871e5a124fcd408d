/// Converts HTML to the text that a reader sees on the page. Blocks are on separate lines, white
/// space is collapsed except in `pre`, and list items are marked. Scripts, styles and heads are
/// left out.
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
