import Crypto

/// SHA-256 of a body, which detects an unchanged body for servers without validators.
enum BodyHash {
  static func of(_ body: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: body)) }
}
