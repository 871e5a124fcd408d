import FetchSchedule

/// A table with at most one value for each job of a scheduler.
///
/// The rows are in a list, which takes less time than a hash table, since the scheduler numbers the
/// jobs without large gaps.
struct JobTable<Value: Sendable>: Sendable {
  private var rows: [Value?] = []
  /// The number of jobs that have a value.
  private var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func reserveCapacity(_ count: Int) { rows.reserveCapacity(count) }

  subscript(job: JobNumber) -> Value? {
    get { job.slot < rows.count ? rows[job.slot] : nil }
    set {
      if job.slot >= rows.count {
        if newValue == nil { return }
        while rows.count <= job.slot { rows.append(nil) }
      }
      count += (newValue == nil ? 0 : 1) - (rows[job.slot] == nil ? 0 : 1)
      rows[job.slot] = newValue
    }
  }

  /// The value of the job with the lowest number; nil if the table is empty.
  var first: Value? { isEmpty ? nil : rows.lazy.compactMap(\.self).first }

  /// The values, in the order of the jobs' numbers.
  var values: [Value] { rows.compactMap(\.self) }

  /// Replaces each value by the result of the body.
  mutating func replaceValues(_ body: (Value) -> Value) {
    for index in rows.indices { rows[index] = rows[index].map(body) }
  }
}
