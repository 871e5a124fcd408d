/// The first byte of an encoded value. The encoding is private to one build of fetchrun, because
/// host and worker are always from the same build and no file on disk uses the encoding.
///
/// All numbers are little-endian. `string` is a u32 length and that many bytes, `shortString` the
/// same with a u8 length. `array` is a u32 count and that many values; `object` is a u32 count and
/// that many pairs of a string (either form) and a value. Strings are bytes and need not be UTF-8.
/// `null` inside an array or object is JSON's null (Lua's `json.null`). A `null` that is the whole
/// value is nil.
package enum ValueTag {
  package static let null: UInt8 = 0
  package static let `false`: UInt8 = 1
  package static let `true`: UInt8 = 2
  package static let integer: UInt8 = 3
  package static let number: UInt8 = 4
  package static let string: UInt8 = 5
  package static let array: UInt8 = 6
  package static let object: UInt8 = 7
  package static let shortString: UInt8 = 8
  package static let smallInteger: UInt8 = 9  // i8
}
