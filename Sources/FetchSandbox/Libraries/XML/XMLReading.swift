/// Reads XML into a tape. The bytes are read unchanged if they are well-formed, and are otherwise
/// repaired first. One kind of well-formed feed is also repaired: a feed in which an unclosed CDATA
/// section ends with the CDATA section of another item.
enum XMLReading {
  struct Result {
    var tape: XMLTape
    /// Whether the document was neither repaired nor cut by a limit.
    var isClean: Bool
    var loss = XMLRepair.Loss()
  }

  /// Reads an XML document in UTF-8; returns nil if the document has no element.
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

  /// Removes blanks before the XML declaration. Such blanks are the most frequent fault of real
  /// feeds, because the declaration must come first.
  private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let start = ASCII.skipBlanks(bytes, from: 0)
    return UnsafeRawBufferPointer(rebasing: bytes[start...])
  }
}
