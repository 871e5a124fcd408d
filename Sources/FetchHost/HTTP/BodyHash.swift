import FetchValues

/// The SHA-256 of a body, by which an unchanged body is recognised if the server sends no
/// validators.
enum BodyHash {
  static func of(_ body: [UInt8]) -> [UInt8] { SHA256.hash(data: body) }
}
