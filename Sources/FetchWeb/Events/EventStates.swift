import FetchModel
package import FetchValues

/// The status lines of jobs. Each line is stored with the `version` in which it was added or last
/// changed.
package struct EventStates: Sendable {
  private struct Entry: Sendable {
    /// The line as JSON text, which takes much less memory than the parsed line.
    var line: String
    /// The line without `why`, a sentence whose relative times change even if nothing else does. A
    /// line with the stored `facts` counts as unchanged and is not stored again.
    var facts: String
    var version: Int
  }

  /// The number of updates so far that have added or changed a line.
  package private(set) var version = 0
  private var entries: [JobName: Entry] = [:]

  package init() {}

  /// Stores the lines that are new or have changed. Returns whether there is such a line. A removed
  /// line does not count.
  ///
  /// - Parameter isWhole: whether `lines` has the lines of all jobs. If true, the stored lines of
  ///   jobs that are missing in `lines` are removed.
  package mutating func update(_ lines: [Value], isWhole: Bool) -> Bool {
    var next: [JobName: Entry] = isWhole ? [:] : entries
    var isChanged = false
    for line in lines {
      guard let job = line["job"]?.stringValue, let facts = Self.facts(of: line),
        let json = try? JSONWriter.text(line)
      else { continue }
      let key = JobName(job)
      if let known = entries[key], known.facts == facts {
        next[key] = known
      } else {
        next[key] = Entry(line: json, facts: facts, version: version + 1)
        isChanged = true
      }
    }
    entries = next
    if isChanged { version += 1 }
    return isChanged
  }

  private static func facts(of line: Value) -> String? {
    guard var object = line.objectValue else { return nil }
    object["why"] = nil
    return try? JSONWriter.text(.object(object))
  }

  /// Returns the `state` events for the selected lines that were added or have changed after the
  /// given version, sorted by job name.
  package func events(after version: Int, for selection: EventSelection) -> [UInt8] {
    var bytes: [UInt8] = []
    guard selection.kinds.contains(.state) else { return bytes }
    let changed = entries.filter { $0.value.version > version }
    for (job, entry) in changed.sorted(by: { $0.key < $1.key })
    where selection.contains(.state, of: job) {
      EventText.append("state", data: ShownJSON.text(entry.line), to: &bytes)
    }
    return bytes
  }
}
