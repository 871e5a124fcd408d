import CHost
package import FetchModel
import FetchValues
import Glibc

/// The decoder of `Content-Encoding` (RFC 9110 section 8.4). It decodes gzip, deflate, br and zstd,
/// and chains of them, if the libraries for these codings are installed.
enum BodyDecoder {
  /// The maximum number of codings in a chain. A longer chain is legal, but is more likely an
  /// attack.
  static let codingsMax = 3
  /// The size of a decoded body up to which any compression ratio is accepted.
  static let ratioFloorBytes = 1 << 20

  /// The value of `Accept-Encoding`: the codings that this program can decode.
  static let accepted: String = {
    let kinds = [("gzip", CCODEC_GZIP), ("br", CCODEC_BROTLI), ("zstd", CCODEC_ZSTD)]
    var names = kinds.filter { ccodec_is_available($0.1) }.map(\.0)
    if names.first == "gzip" { names.insert("deflate", at: 1) }
    return names.isEmpty ? "identity" : names.joined(separator: ", ")
  }()

  static func decode(
    _ body: [UInt8], headers: [HTTPField], bytesMax: Int, ratioMax: Int
  ) -> Result<[UInt8], HTTPFault> {
    let codings = codings(headers)
    // Some servers send an empty body with a coding to mean "nothing".
    if codings.isEmpty || body.isEmpty { return .success(body) }
    guard codings.count <= codingsMax else {
      let first = codings.prefix(codingsMax + 1).map { shown($0) }
      return .failure(.unknownCoding(first.joined(separator: ", ")))
    }
    let (ratioBytes, isHuge) = body.count.multipliedReportingOverflow(by: max(ratioMax, 1))
    let ratioLimit = isHuge ? Int.max : max(ratioBytes, ratioFloorBytes)
    var bytes = body
    for coding in codings.reversed() {
      switch decode(bytes, coding, bytesMax: min(bytesMax, ratioLimit)) {
      case .success(let decoded): bytes = decoded
      case .failure(.bodyTooBig):
        let isRatio = ratioLimit < bytesMax
        return .failure(isRatio ? .decompressionRatio(ratioMax) : .bodyTooBig(bytesMax))
      case .failure(let fault): return .failure(fault)
      }
    }
    return .success(bytes)
  }

  /// Returns the codings in the order they were applied, without `identity`.
  private static func codings(_ headers: [HTTPField]) -> [String] {
    headers.lazy.filter { $0.name == "content-encoding" }.flatMap { field in
      field.value.split { $0 == "," || $0 == " " || $0 == "\t" }.map { $0.lowercased() }
    }.filter { $0 != "identity" }
  }

  private static func decode(
    _ bytes: [UInt8], _ coding: String, bytesMax: Int
  ) -> Result<[UInt8], HTTPFault> {
    guard let kind = kind(coding) else {
      return .failure(.unknownCoding(shown(coding)))
    }
    var out: UnsafeMutablePointer<UInt8>?
    var count = 0
    let result = bytes.withUnsafeBufferPointer { source in
      source.baseAddress.map { ccodec_decode(kind, $0, source.count, bytesMax, &out, &count) }
    }
    defer { free(out) }
    switch result {
    case CCODEC_OK: return .success(Array(UnsafeBufferPointer(start: out, count: count)))
    case CCODEC_TOO_BIG: return .failure(.bodyTooBig(bytesMax))
    case CCODEC_UNAVAILABLE: return .failure(.unknownCoding(coding))
    case CCODEC_NO_MEMORY: return .failure(.engine("no memory is left to decode the answer"))
    default: return .failure(.damagedBody(coding))
    }
  }

  private static func shown(_ coding: String) -> String {
    String(coding.unicodeScalars.filter(\.isASCII).prefix(20).map(Character.init))
  }

  private static func kind(_ coding: String) -> ccodec_kind? {
    switch coding {
    case "gzip", "x-gzip": CCODEC_GZIP
    case "deflate": CCODEC_DEFLATE
    case "br": CCODEC_BROTLI
    case "zstd": CCODEC_ZSTD
    default: nil
    }
  }
}

/// The decompression of a whole gzip file (RFC 1952).
package enum GzipBytes {
  /// The reason why a file could not be decompressed; the text ends a sentence that begins with the
  /// file's name.
  package enum Problem: String, Error, CustomStringConvertible {
    case damaged = "is damaged"
    case tooBig = "is too large"
    case unavailable = "cannot be read: install libdeflate, or decompress the file with `gunzip`"
    case noMemory = "cannot be read: no memory is left to decompress it"

    package var description: String { rawValue }
  }

  package static func decode(_ bytes: [UInt8], bytesMax: Int) -> Result<[UInt8], Problem> {
    var out: UnsafeMutablePointer<UInt8>?
    var count = 0
    let result = bytes.withUnsafeBufferPointer { source in
      source.baseAddress.map {
        ccodec_decode(CCODEC_GZIP, $0, source.count, bytesMax, &out, &count)
      }
    }
    defer { free(out) }
    switch result {
    case CCODEC_OK: return .success(Array(UnsafeBufferPointer(start: out, count: count)))
    case CCODEC_TOO_BIG: return .failure(.tooBig)
    case CCODEC_UNAVAILABLE: return .failure(.unavailable)
    case CCODEC_NO_MEMORY: return .failure(.noMemory)
    default: return .failure(.damaged)
    }
  }
}

/// A receiver of an answer's body. It receives each part when the part arrives, so the whole body
/// is not kept in memory.
///
/// The engine calls a sink on the engine's thread, and never after the hop has ended. A slow
/// receiver delays the other hops of the engine.
package protocol BodySink: Sendable {
  /// Receives the head of each answer before its body, and returns the decision about the body.
  /// Interim answers (1xx) are skipped.
  func begin(_ head: HTTPHopAnswer, from target: TargetURL) -> BodyWish
  /// Receives a part of the body; returns false to end the hop as cancelled.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool
}

/// A sink's decision about a body.
package enum BodyWish: Sendable {
  case take
  /// The body is not needed. The engine reads a short body to its end, so that the connection can
  /// be used again. The engine stops reading a long body, and the hop ends with the head alone.
  case pass

  /// The maximum length in bytes of an unneeded body that is read to its end.
  static let passedBytesMax = 64 << 10
}

/// The SHA-256 of a body. It shows that a body is unchanged although the server sent the whole body
/// again.
enum BodyHash {
  static func of(_ body: [UInt8]) -> [UInt8] { SHA256.hash(data: body) }
}
