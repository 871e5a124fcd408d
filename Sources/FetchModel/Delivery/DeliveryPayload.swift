/// The JSON of a delivery before its items have sequences: those are known when the run is stored.
package struct DeliveryPayload: Equatable, Sendable {
  /// The parts of the text between the sequences, one more than there are sequences.
  private var pieces: [String]
  /// The distance of each sequence from that of the first change of the run's part.
  private var offsets: [Int64] = []

  /// A text without sequences.
  package init(_ text: String) { pieces = [text] }

  package mutating func append(_ text: String) { pieces[pieces.count - 1] += text }

  /// Continues the text with the sequence of a change, by its place among those of its part.
  package mutating func appendSequence(ofChange offset: Int) {
    offsets.append(Int64(offset))
    pieces.append("")
  }

  /// The whole text, where the first change of the run's part has that sequence.
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
