import CHost
import Glibc

/// Decompresses a whole gzip file (RFC 1952) of one member, with the same library as bodies.
package enum GzipBytes {
  /// The reason why a file could not be decompressed; the text ends a sentence that begins with the
  /// file's name.
  package enum Problem: String, Error, CustomStringConvertible {
    case damaged = "is damaged"
    case tooBig = "is too large"
    case unavailable = "cannot be read: install libdeflate, or decompress it with `gunzip`"

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
    default: return .failure(.damaged)
    }
  }
}
