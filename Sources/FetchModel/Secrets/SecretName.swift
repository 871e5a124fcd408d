import FetchValues

/// The rule for the names of secrets in manifests, configs, Lua and redaction marks.
package enum SecretName {
  package static let bytesMax = 64
  /// The rule in words, for messages.
  package static let rule = "up to \(bytesMax) letters, digits, '-', '_' and '.'"

  package static func isValid(_ name: String) -> Bool {
    let bytes = name.utf8
    return !bytes.isEmpty && bytes.count <= bytesMax && bytes.first != UInt8(ascii: ".")
      && bytes.allSatisfy { $0.isASCIIDigit || $0.isASCIILetter || "-_.".utf8.contains($0) }
  }
}
