import Crypto
import FetchModel
import FetchValues

/// The key of the stored secrets: one line, `fetchrun-key-1` and 32 bytes in base64.
enum VaultKey {
  private static let mark = "fetchrun-key-1 "
  private static let bytesMax = 256

  static func read(_ path: String) throws(SecretProblem) -> SymmetricKey {
    let bytes = try PrivateFile.read(path, isShared: false, bytesMax: bytesMax)
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix(mark), let key = decoded(text.dropFirst(mark.utf8.count)), key.count == 32
    else { throw SecretProblem("\(path) has no key of stored secrets in it") }
    return SymmetricKey(data: key)
  }

  private static func decoded(_ text: Substring) -> [UInt8]? {
    Array(text.utf8).withUnsafeBytes { Base64.decode($0, strict: false) }
  }

  static func readOrMake(_ path: String) throws(SecretProblem) -> SymmetricKey {
    if PrivateFile.isThere(path) { return try read(path) }
    let key = SymmetricKey(size: .bits256)
    let digits = key.withUnsafeBytes { Base64.encode($0, .standard, padded: true) }
    let isOurs = try PrivateFile.create(path, with: Array(mark.utf8) + digits + [0x0A])
    return isOurs ? key : try read(path)
  }
}
