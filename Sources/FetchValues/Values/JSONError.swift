/// The reason why a text is not JSON, with the place of the mistake, or the reason why a value
/// cannot be written as JSON.
package struct JSONError: Error, Equatable {
  /// A place in the text. The line and the column are counted from 1, and the column in Unicode
  /// scalars.
  package struct Place: Equatable, Sendable {
    package var offset: Int
    package var line: Int
    package var column: Int
  }

  package var problem: String
  /// The place of the mistake; nil if a value could not be written.
  package var place: Place?
}

extension JSONError: CustomStringConvertible {
  package var description: String {
    guard let place else { return "cannot be written as JSON: \(problem)" }
    return "invalid JSON at line \(place.line) column \(place.column): \(problem)"
  }
}

extension JSONError.Place {
  /// Finds the line and column of the byte at `offset` in `text`. Lines end at LF. Continuation
  /// bytes of UTF-8 do not count as columns.
  init(offset: Int, in text: UnsafeRawBufferPointer) {
    var line = 1
    var column = 1
    for byte in text.prefix(max(0, offset)) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.init(offset: offset, line: line, column: column)
  }
}
