import FetchValues

/// The list of jobs with abandoned runs that no scheduler has heard of, as the ledger has it.
enum AbandonedJobs {
  static let ledgerName = "abandoned"

  /// What cannot be read is none.
  static func list(_ content: [UInt8]?) -> [String] {
    (content ?? []).withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      var jobs: [String] = []
      let count = (try? reader.readArrayHead()) ?? 0
      while jobs.count < count, let job = try? reader.readString() { jobs.append(job) }
      return jobs
    }
  }

  static func content(_ jobs: [String]) -> [UInt8] {
    var writer = ValueWriter()
    writer.beginArray(count: jobs.count)
    for job in jobs { writer.write(job) }
    return writer.bytes
  }

  /// Each once.
  static func joined(_ known: [String], _ more: [String]) -> [String] {
    let names = Set(known.map(ExactText.init))
    return known + more.filter { !names.contains(ExactText($0)) }
  }
}
