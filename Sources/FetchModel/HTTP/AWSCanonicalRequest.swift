import Crypto
import FetchValues

/// A request in the one form that both ends sign: "Create a canonical request" of the AWS Signature
/// Version 4 documentation, and the S3 API reference where S3 differs.
package struct AWSCanonicalRequest: Equatable, Sendable {
  package let text: String
  /// The names of the headers that are signed, joined by `;`.
  package let signedHeaders: String

  /// `path` and `query` as they are sent; of headers, `host` among them, all are signed.
  package init(
    method: String, path: String, query: String?, headers: [HTTPField], payloadHash: String,
    isS3: Bool
  ) {
    let fields = Self.canonical(headers)
    signedHeaders = fields.map(\.name).joined(separator: ";")
    let lines = fields.map { "\($0.name):\($0.value)\n" }.joined()
    text = [
      method, Self.canonical(path: path, isS3: isS3), Self.canonical(query: query ?? ""), lines,
      signedHeaders, payloadHash,
    ].joined(separator: "\n")
  }

  package var hash: String { Self.hash(Array(text.utf8)) }

  package static func hash(_ bytes: [UInt8]) -> String {
    Hexadecimal.text(of: Array(SHA256.hash(data: bytes)))
  }

  /// S3 encodes the path's bytes once, everybody else what is sent once more.
  private static func canonical(path: String, isS3: Bool) -> String {
    let kept = ByteSet.unreserved.union(ByteSet("/"))
    let bytes = isS3 ? PercentEncoding.decode(path.utf8) : Array(path.utf8)
    return String(decoding: PercentEncoding.encode(bytes, keeping: kept), as: UTF8.self)
  }

  private static func canonical(query: String) -> String {
    let pairs = query.utf8.split(separator: UInt8(ascii: "&")).map { pair in
      let cut = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      let name = PercentEncoding.encode(PercentEncoding.decode(pair[..<cut]))
      let value = PercentEncoding.encode(PercentEncoding.decode(pair[cut...].dropFirst()))
      return (name: name, value: value)
    }
    let sorted = pairs.sorted { left, right in
      left.name == right.name
        ? left.value.lexicographicallyPrecedes(right.value)
        : left.name.lexicographicallyPrecedes(right.name)
    }
    return sorted.map { pair in
      String(decoding: pair.name, as: UTF8.self) + "=" + String(decoding: pair.value, as: UTF8.self)
    }.joined(separator: "&")
  }

  /// Lower-case names in order; values without outer and with single inner spaces; several of one
  /// name joined by commas.
  private static func canonical(_ fields: [HTTPField]) -> [HTTPField] {
    var canonical: [HTTPField] = []
    for field in fields {
      let name = field.name.asciiLowercased
      let value = field.value.split(separator: " ").joined(separator: " ")
      if let index = canonical.firstIndex(where: { $0.name.hasSameBytes(as: name) }) {
        canonical[index].value += "," + value
      } else {
        canonical.append(HTTPField(name, value))
      }
    }
    return canonical.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}
