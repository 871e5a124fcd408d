package import FetchModel
package import FetchValues

/// A hook file's result for one item.
package enum ItemVerdict: Equatable, Sendable {
  case dropped
  /// The item is unchanged, because the hook failed for it or returned a value of a wrong type.
  case kept
  case changed(ParsedItem)
  /// The hook returned a table that is not a valid item. The text is a message for the hook's
  /// author.
  case refused(String)

  /// Reads `count` verdicts, as a worker sent them one after the other. Throws if the number of
  /// verdicts is not `count`, or if the bytes are not encoded values. In both cases the worker
  /// cannot be trusted.
  ///
  /// - Parameter number: the number of the first item, for messages.
  package static func read(
    _ bytes: [UInt8], count: Int, number: Int, _ limits: RunLimits
  ) throws(ValueError) -> [ItemVerdict] {
    try ValueReader.read(bytes) { reader throws(ValueError) in
      var verdicts: [ItemVerdict] = []
      verdicts.reserveCapacity(count)
      while !reader.isAtEnd, verdicts.count < count {
        verdicts.append(try read(&reader, number: number + verdicts.count, limits))
      }
      guard reader.isAtEnd, verdicts.count == count else { throw .truncated }
      return verdicts
    }
  }

  private static func read(
    _ reader: inout ValueReader, number: Int, _ limits: RunLimits
  ) throws(ValueError) -> ItemVerdict {
    switch try reader.peekTag() {
    case ValueTag.true:
      try reader.skipValue()
      return .kept
    case ValueTag.false:
      try reader.skipValue()
      return .dropped
    default: return try readItem(&reader, number: number, limits)
    }
  }

  private static func readItem(
    _ reader: inout ValueReader, number: Int, _ limits: RunLimits
  ) throws(ValueError) -> ItemVerdict {
    var whole = reader
    try whole.skipValue()
    defer { reader = whole }
    do throws(ItemDecoder.Problem) {
      return .changed(try ItemDecoder(limits: limits, firstNumber: number).readItem(&reader))
    } catch {
      switch error {
      case .failure(let failure): return .refused(failure.message)
      case .malformed(let error): throw error
      }
    }
  }
}
