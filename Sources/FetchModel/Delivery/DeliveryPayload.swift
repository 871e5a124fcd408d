/// The JSON of a delivery before its items have sequences, which are assigned when the run is
/// stored.
package struct DeliveryPayload: Equatable, Sendable {
  /// The parts of the text between the sequences; one more than sequences.
  private var pieces: [String]
  /// The offset of each sequence from the first change of the run's part.
  private var offsets: [Int64] = []

  /// Creates a text without sequences.
  package init(_ text: String) { pieces = [text] }

  package mutating func append(_ text: String) { pieces[pieces.count - 1] += text }

  /// Appends the sequence of a change, given by its place in its part.
  package mutating func appendSequence(ofChange offset: Int) {
    offsets.append(Int64(offset))
    pieces.append("")
  }

  /// Returns the whole text if the first change of the run's part has that sequence.
  package func text(firstSequence: Int64) -> String {
    if offsets.isEmpty { return pieces[0] }
    var text = pieces[0]
    text.reserveCapacity(pieces.reduce(0) { $0 + $1.utf8.count + Self.digitsUsual })
    for (offset, piece) in zip(offsets, pieces.dropFirst()) {
      text += String(firstSequence &+ offset)
      text += piece
    }
    return text
  }

  private static let digitsUsual = 8
}

extension DeliveryPayload: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { self.init(text) }
}
