import FetchSchedule
import FetchValues

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

  /// Adds a line. If there are many lines, removes and returns all lines, without the final line
  /// break.
  package mutating func add(_ fetch: SimulatedFetch) -> String? {
    if !block.isEmpty { block += "\n" }
    block += "{\"t\":\(fetch.time),\"source\":\(ids[fetch.source])"
    if let reason = fetch.reason { block += ",\"why\":\"\(reason.rule.rawValue)\"" }
    block += "}"
    return block.utf8.count >= Self.blockBytesMax ? rest : nil
  }

  /// The remaining lines. Reading this property removes them.
  package var rest: String? {
    mutating get {
      defer { block = "" }
      return block.isEmpty ? nil : block
    }
  }
}
