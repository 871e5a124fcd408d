import FetchHost
import FetchSchedule
import FetchValues

/// A reader of traces in JSON lines.
package enum TraceReader {
  /// The problem of a trace: an invalid line, or no line of type `trace`.
  package struct Problem: Error, Equatable, CustomStringConvertible {
    package var line: Int
    package var message: String
    package var description: String { "line \(line): \(message)" }
  }

  package static func read(_ bytes: [UInt8]) throws(Problem) -> Trace {
    var trace: Trace?
    var sources: [TraceSource] = []
    var reads: [TraceRead] = []
    var number = 0
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
      guard case .object(let object)? = try? JSONReader.decode(Array(line)) else {
        throw Problem(line: number, message: "not a JSON object")
      }
      do throws(Fault) {
        switch object["type"]?.stringValue {
        case "trace": trace = try head(object)
        case "source": sources.append(try source(object))
        case "read":
          reads.append(
            TraceRead(time: try object.time("t"), group: try object.text("group")))
        default: throw Fault(message: "\"type\" must be trace, source or read")
        }
      } catch {
        throw Problem(line: number, message: error.message)
      }
    }
    guard var trace else {
      throw Problem(line: number, message: "the file ends without a line of type trace")
    }
    trace.sources = sources
    trace.reads = reads.sorted { $0.time < $1.time }
    return trace
  }

  /// The maximum duration of a trace in seconds: ten years of 366 days.
  private static let durationMax = 10 * 366 * 86_400.0

  private static func head(_ object: ValueObject) throws(Fault) -> Trace {
    guard case .object(let budget)? = object["budget"] else {
      throw Fault(message: "\"budget\" must be an object")
    }
    let duration = try object.time("duration")
    let rate = try budget.time("per_hour")
    let burst = try budget.time("burst")
    guard duration > 0, duration <= durationMax else {
      throw Fault(
        message: "\"duration\" must be above 0 and at most 316224000 (ten years in seconds)")
    }
    guard rate > 0, rate <= 3_600_000, burst >= 1, burst <= 1e9 else {
      throw Fault(
        message: "\"per_hour\" must be above 0 and at most 3600000, and \"burst\" from 1 to 1e9")
    }
    let gap = object["host_gap"] == nil ? 0 : try object.time("host_gap")
    guard gap >= 0, gap <= 86_400 else { throw Fault(message: "\"host_gap\" must be 0 to 86400") }
    return Trace(
      duration: duration, requestsPerHour: rate, burst: burst, hostGap: gap, sources: [],
      reads: [])
  }

  private static func source(_ object: ValueObject) throws(Fault) -> TraceSource {
    let kind = try object.text("kind")
    guard kind == "feed" || kind == "value" else {
      throw Fault(message: "\"kind\" must be feed or value")
    }
    let past = try object.times("past")
    let outages = try (object.array("down")).map { element throws(Fault) in
      guard case .array(let parts) = element, parts.count >= 2, let from = parts[0].number,
        let to = parts[1].number
      else {
        throw Fault(message: "\"down\" must be a list of [from, to] or [from, to, retry_after]")
      }
      let wait = parts.count > 2 ? parts[2].number ?? 0 : 0
      return TraceSource.Outage(from: from, to: to, retryAfter: wait > 0 ? wait : nil)
    }
    return TraceSource(
      id: try object.text("id"), host: try object.text("host"),
      group: object["group"]?.stringValue ?? "", datesItems: kind == "feed",
      datesChanges: object["modified"] == .bool(true),
      window: Int(min(max(try object.time("window"), 1), 1e6)),
      timeToLive: object["ttl"]?.number, published: (past + (try object.times("pub"))).sorted(),
      outages: outages.sorted { $0.from < $1.from })
  }
}

private struct Fault: Error {
  var message: String
}

extension ValueObject {
  fileprivate func text(_ key: String) throws(Fault) -> String {
    guard let text = self[key]?.stringValue else {
      throw Fault(message: "\"\(key)\" must be a string")
    }
    return text
  }

  fileprivate func time(_ key: String) throws(Fault) -> Double {
    guard let number = self[key]?.number else {
      throw Fault(message: "\"\(key)\" must be a number")
    }
    return number
  }

  fileprivate func array(_ key: String) throws(Fault) -> [Value] {
    switch self[key] {
    case .array(let elements)?: return elements
    case .null?, nil: return []
    default: throw Fault(message: "\"\(key)\" must be a list")
    }
  }

  fileprivate func times(_ key: String) throws(Fault) -> [Double] {
    try array(key).map { element throws(Fault) in
      guard let number = element.number else {
        throw Fault(message: "\"\(key)\" must be a list of numbers")
      }
      return number
    }
  }
}

extension Value {
  fileprivate var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }
}

/// The reader of trace files. A trace file contains JSON lines and may be compressed with gzip.
package enum TraceFile {
  /// The maximum size of a trace in bytes, before and after decompression. A larger trace and the
  /// data made from it might not fit into memory.
  private static let bytesMax = 1 << 30

  /// Returns the trace in the file at `path`, or the problem. The problem's text does not contain
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

/// The requests of a simulation as JSON lines. The lines are returned in blocks.
package struct TraceLines {
  /// The ids of the sources as JSON strings.
  private let ids: [String]
  private var block = ""

  private static let blockBytesMax = 1 << 16

  package init(_ trace: Trace) {
    ids = trace.sources.map { source in
      (try? JSONWriter.text(.string(source.id))) ?? "null"
    }
  }

  /// Adds a line. If the lines then have at least `blockBytesMax` bytes, removes and returns all
  /// lines, without the final line break. Otherwise returns nil.
  package mutating func add(_ fetch: SimulatedFetch) -> String? {
    if !block.isEmpty { block += "\n" }
    block += "{\"t\":\(fetch.time),\"source\":\(ids[fetch.source])"
    if let reason = fetch.reason { block += ",\"why\":\"\(reason.rule.rawValue)\"" }
    block += "}"
    return block.utf8.count >= Self.blockBytesMax ? rest : nil
  }

  /// The remaining lines, without the final line break; nil if there are none. Reading this
  /// property removes the lines.
  package var rest: String? {
    mutating get {
      defer { block = "" }
      return block.isEmpty ? nil : block
    }
  }
}
