/// The value of a secret. Its description never shows the value.
package struct SecretValue: Equatable, Sendable {
  /// The secret text, which must never be shown or logged.
  package let text: String

  /// The maximum length of a value, in bytes. Tokens have hundreds of bytes, and private keys have
  /// thousands.
  package static let bytesMax = 64 << 10

  package init(_ text: String) { self.text = text }

  /// Creates a value from bytes that a file, a command or a person gave. Removes one line break at
  /// the end. Throws an error if the rest is empty, is too long, contains a zero byte or is not
  /// UTF-8 text.
  package init(read bytes: [UInt8]) throws(SecretProblem) {
    var bytes = bytes[...]
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard !bytes.isEmpty else { throw SecretProblem("is empty") }
    guard bytes.count <= Self.bytesMax else {
      throw SecretProblem("is longer than \(Self.bytesMax) bytes")
    }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw SecretProblem("is not UTF-8 text")
    }
    self.text = text
  }
}

extension SecretValue: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "[secret]" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
