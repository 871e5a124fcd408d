extension Array {
  /// Reads a byte of each cache line of an element, so that the element is in the cache when it is
  /// needed.
  ///
  /// The processor can load several elements in parallel. Without this call, code that processes
  /// one element after another would wait for each element.
  ///
  /// - Returns: A meaningless value. The caller must use it, because the compiler removes unused
  ///   reads.
  func readAhead(_ index: Int) -> UInt8 {
    withUnsafeBufferPointer { elements in
      let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: elements[index...index]))
      var sum = bytes.last ?? 0
      for offset in stride(from: 0, to: bytes.count, by: 64) { sum &+= bytes[offset] }
      return sum
    }
  }
}
