import FetchHost
import FetchValues

/// The reading of a trace from a file of JSON lines, which may be compressed with gzip.
package enum TraceFile {
  /// The maximum size of a trace in bytes. Larger traces and the data made from them do not fit
  /// into memory.
  private static let bytesMax = 1 << 30

  /// Returns the trace, or the problem. The problem's text continues a sentence that begins with
  /// the path.
  package static func read(_ path: String) -> Result<Trace, TraceFileProblem> {
    switch FileBytes.read(path, max: bytesMax) {
    case .failure(let problem): return .failure(TraceFileProblem(description: "\(problem)"))
    case .success(let bytes): return decode(bytes)
    }
  }

  private static func decode(_ bytes: [UInt8]) -> Result<Trace, TraceFileProblem> {
    var text = bytes
    // The first two bytes of gzip data: RFC 1952, section 2.3.1.
    if bytes.starts(with: [0x1F, 0x8B]) {
      switch GzipBytes.decode(bytes, bytesMax: bytesMax) {
      case .success(let decoded): text = decoded
      case .failure(let problem): return .failure(TraceFileProblem(description: "\(problem)"))
      }
    }
    do {
      return .success(try TraceReader.read(text))
    } catch {
      return .failure(TraceFileProblem(description: "\(error)"))
    }
  }
}

/// The reason why a trace could not be read from a file.
package struct TraceFileProblem: Error, Equatable, CustomStringConvertible {
  package var description: String
}
