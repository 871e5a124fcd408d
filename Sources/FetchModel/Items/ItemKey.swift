/// What an item is recognised by within its job: the text that identity came to, compared by its
/// UTF-8 bytes (two ids that differ in Unicode normalisation are two items).
package struct ItemKey: Sendable {
  package let text: String

  /// A key longer than this would make every index page hold one key: its hash stands in.
  package static let textBytesMax = 1024

  package init(_ text: String) { self.text = text }
}

extension ItemKey: Hashable {
  package static func == (left: ItemKey, right: ItemKey) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    let isContiguous: Void? = text.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isContiguous == nil { for byte in text.utf8 { hasher.combine(byte) } }
  }
}
