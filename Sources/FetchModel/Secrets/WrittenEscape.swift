/// One escape in a text: the bytes that it stands for, and how many of the text it takes.
struct WrittenEscape {
  let bytes: [UInt8]
  let width: Int
  /// In forms a `+` is a space, elsewhere itself.
  private var isPlus = false

  init(byte: UInt8, width: Int) {
    bytes = [byte]
    self.width = width
  }

  /// Nil where there is no such character.
  init?(scalar: UInt32, width: Int) {
    guard let scalar = Unicode.Scalar(scalar) else { return nil }
    bytes = Array(String(scalar).utf8)
    self.width = width
  }

  static let plus = plus(width: 1)

  static func plus(width: Int) -> WrittenEscape {
    var plus = WrittenEscape(byte: UInt8(ascii: "+"), width: width)
    plus.isPlus = true
    return plus
  }

  /// Whether the secret goes on with these bytes.
  func isNext(in secret: [UInt8], at place: Int) -> Bool {
    if isPlus, secret[place] == UInt8(ascii: " ") { return true }
    return secret[place...].starts(with: bytes)
  }
}
