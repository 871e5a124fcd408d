package import FetchModel
package import FetchStore
package import FetchValues

extension StoreReader {
  /// Returns run records, newest first. Includes abandoned runs, but not runs that are under way
  /// after a checkpoint.
  package func runs(job: JobName? = nil, limit: Int? = nil) throws(StoreError) -> [RunRecord] {
    let lastLeft = try lastLeftRun()
    return try read { db in
      let row = try SQLStatement(
        db,
        """
        SELECT \(RunRow.columns) FROM runs JOIN jobs ON jobs.id = runs.job
        WHERE (runs.outcome <> '\(RunRow.runningWord)' OR runs.number <= ?2)
          \(job == nil ? "" : "AND jobs.name = ?3")
        ORDER BY runs.number DESC LIMIT ?1
        """)
      row.bind(1, limit ?? -1)
      row.bind(2, lastLeft)
      if let job { row.bind(3, job) }
      var result: [RunRecord] = []
      while try row.step() { result.append(RunRow.record(row)) }
      return result
    }
  }

  package func run(named name: String) throws(StoreError) -> RunRecord? {
    if let digits = Self.digits(name), let run = try onlyRun(digits) { return run }
    return try runs(job: JobName(name), limit: 1).first
  }

  /// Returns the run whose id begins with the given digits. Returns nil if there is no such run, or
  /// if there are several.
  private func onlyRun(_ digits: String) throws(StoreError) -> RunRecord? {
    let lastLeft = try lastLeftRun()
    return try read { db in
      let row = try SQLStatement(
        db,
        """
        SELECT \(RunRow.columns) FROM runs JOIN jobs ON jobs.id = runs.job
        WHERE (runs.outcome <> '\(RunRow.runningWord)' OR runs.number <= ?1)
          AND substr(hex(runs.run), 1, ?2) = ?3
        LIMIT 2
        """)
      row.bind(1, lastLeft)
      row.bind(2, digits.utf8.count)
      row.bind(3, digits)
      defer { row.reset() }
      guard try row.step() else { return nil }
      let found = RunRow.record(row)
      return try row.step() ? nil : found
    }
  }

  /// Returns the hexadecimal digits at the beginning of an id, in upper case. Returns nil if the
  /// text is not the beginning of an id.
  private static func digits(_ prefix: String) -> String? {
    var digits: [UInt8] = []
    for (index, byte) in prefix.utf8.enumerated() {
      if [8, 13, 18, 23].contains(index) {
        if byte != UInt8(ascii: "-") { return nil }
        continue
      }
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      digits.append(contentsOf: String(digit, radix: 16, uppercase: true).utf8)
    }
    return digits.count > 32 ? nil : String(decoding: digits, as: UTF8.self)
  }
}
