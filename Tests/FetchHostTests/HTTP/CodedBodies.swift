/// Bodies in each coding, made by gzip, zlib, brotli and zstd. Most bodies contain
/// `CodedBodies.plain`.
enum CodedBodies {
  static let plain = "hello hello hello hello\n"

  /// The coded bodies by name, in hexadecimal digits.
  private static let texts: [String: String] = [
    "gzip": "1f8b0800000000000203cb48cdc9c957c84027b9000088590b18000000",
    "empty gzip": "1f8b080000000000000303000000000000000000",
    "gzip twice":
      "1f8b080000000000020393efe660000126e6d31e674f9e0c3fe1a0be9381a123925b0228080011b2f66f"
      + "1d000000",
    "deflate": "789ccb48cdc9c957c84027b90070be08bb",
    "raw deflate": "cb48cdc9c957c84027b900",
    "br": "1f1700f88d946ede445586d60a206c6f4a1179e280ae16",
    "zstd": "28b52ffd04586d00003868656c6c6f200a0100994b11a87c2ea8",
    "64 KiB gzip":
      "1f8b0800000000000203edc101010000008090feafee080a000000000000000000000000000000000000"
      + "000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
      + "0000006aeb8e97d700000100",
    "bomb br": "9fffff3f002400e2b14072ef7f00",
    "bomb zstd":
      "28b52ffd04585400001000000100fbff39c0020200100002001000020010000200100002001000020010"
      + "000200100002001000020010000200100002001000020010000200100002001000020010000200100002"
      + "001000020010000200100002001000020010000200100002001000020010000200100002001000020010"
      + "0002001000020010000200100002001000010000289dbc7c",
  ]

  static let bytes: [String: [UInt8]] = {
    var bytes = texts.mapValues(decoded)
    let member = bytes["64 KiB gzip"] ?? []
    bytes["bomb gzip"] = Array(repeatElement(member, count: 32).joined())
    return bytes
  }()

  private static func decoded(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }
}
