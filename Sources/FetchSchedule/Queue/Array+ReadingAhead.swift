extension Array {
  /// Reads a byte of each cache line of an element, so that it is in the cache when needed.
  ///
  /// The processor fetches several elements in parallel, whereas code that processes one after the
  /// other waits for each.
  ///
  /// - Returns: A meaningless value that the caller must use: the compiler removes unused reads.
  func readAhead(_ index: Int) -> UInt8 {
    withUnsafeBufferPointer { elements in
      let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: elements[index...index]))
      var sum = bytes.last ?? 0
      for offset in stride(from: 0, to: bytes.count, by: 64) { sum &+= bytes[offset] }
      return sum
    }
  }
}
