extension Array {
  /// Reads a byte of each cache line of an element, so that it is in the cache when it is needed.
  /// Of many elements in a row the processor fetches several at a time, where code that works with
  /// one after the other waits for each.
  ///
  /// - Returns: What says nothing, but has to go somewhere: reading in vain is optimized away.
  func readAhead(_ index: Int) -> UInt8 {
    withUnsafeBufferPointer { elements in
      let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: elements[index...index]))
      var sum = bytes.last ?? 0
      for offset in stride(from: 0, to: bytes.count, by: 64) { sum &+= bytes[offset] }
      return sum
    }
  }
}
