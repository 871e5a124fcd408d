/// Reads any bytes that claim to be XML to a tape: as they are where they are well-formed, else
/// repaired. A CDATA section without end that goes on to the end of another item's is well-formed
/// and repaired all the same.
enum XMLReading {
  struct Result {
    var tape: XMLTape
    /// False where the document had to be repaired or was cut by a limit.
    var isClean: Bool
    var loss = XMLRepair.Loss()
  }

  /// nil where no element is found. `bytes` are UTF-8.
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

  /// Without blanks in front: they are the most frequent fault of real feeds, and the declaration
  /// must come first.
  private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let start = ASCII.skipBlanks(bytes, from: 0)
    return UnsafeRawBufferPointer(rebasing: bytes[start...])
  }
}
