/// A text that is equal to another text only if their bytes are equal. It is used for ids,
/// addresses and keys. Swift's own string equality ignores differences in Unicode normalisation.
public struct ExactText: Sendable {
  public let text: String

  @inlinable public init(_ text: String) { self.text = text }
}

extension ExactText: Hashable {
  @inlinable public static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  @inlinable public func hash(into hasher: inout Hasher) {
    let isContiguous: Void? = text.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isContiguous == nil {
      Array(text.utf8).withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }
}

extension ExactText: Comparable {
  public static func < (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}
