/// Reads any bytes that claim to be XML to a tape: unchanged if they are well-formed, otherwise
/// repaired. One kind of well-formed feed is also repaired: an unclosed CDATA section that another
/// item's section closes.
enum XMLReading {
  struct Result {
    var tape: XMLTape
    /// Whether the document was neither repaired nor cut by a limit.
    var isClean: Bool
    var loss = XMLRepair.Loss()
  }

  /// Reads UTF-8; returns nil if there is no element.
  static func read(_ bytes: UnsafeRawBufferPointer) -> Result? {
    let text = trimmed(bytes)
    guard !text.isEmpty else { return nil }
    if !CostlyMarkup.found(in: text), let (tape, isClean) = XMLTapeBuilder.parse(text), isClean,
      !tape.holdsSectionStart || !ItemTags.areSwallowed(in: text)
    {
      return tape.nodes.isEmpty ? nil : Result(tape: tape, isClean: true)
    }
    let (repaired, loss) = XMLRepair.repair(text)
    guard let (tape, _) = repaired.withUnsafeBytes(XMLTapeBuilder.parse), !tape.nodes.isEmpty
    else { return nil }
    return Result(tape: tape, isClean: false, loss: loss)
  }

  /// Removes leading blanks, the most frequent fault of real feeds: the declaration must come
  /// first.
  private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let start = ASCII.skipBlanks(bytes, from: 0)
    return UnsafeRawBufferPointer(rebasing: bytes[start...])
  }
}
