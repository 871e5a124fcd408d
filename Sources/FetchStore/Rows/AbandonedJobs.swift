import FetchModel
package import FetchValues

/// The ledger's list of jobs with abandoned runs that no scheduler has acknowledged.
package enum AbandonedJobs {
  package static let ledgerName = "abandoned"

  /// Reads the list up to the first unreadable name.
  package static func list(_ content: [UInt8]?) -> [JobName] {
    (content ?? []).withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      var jobs: [JobName] = []
      let count = (try? reader.readArrayHead()) ?? 0
      while jobs.count < count, let job = try? reader.readString() { jobs.append(JobName(job)) }
      return jobs
    }
  }

  package static func content(_ jobs: [JobName]) -> [UInt8] {
    var writer = ValueWriter()
    writer.beginArray(count: jobs.count)
    for job in jobs { writer.write(job.text) }
    return writer.bytes
  }

  /// Returns the names of the first list, followed by the names that only the second list has.
  package static func joined(_ known: [JobName], _ more: [String]) -> [JobName] {
    let names = Set(known)
    return known + more.map { JobName($0) }.filter { !names.contains($0) }
  }
}
