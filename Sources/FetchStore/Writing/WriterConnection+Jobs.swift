internal import FetchModel

extension WriterConnection {
  /// `plugin`: whose grant is to be read, by the name that the user gave it.
  func snapshot(ofJob name: String, plugin: String?) throws -> JobSnapshot {
    var snapshot = JobSnapshot(name: name)
    statements.job.bind(1, name)
    statements.job.bind(2, plugin)
    guard try statements.job.step() else { return snapshot }
    let id = statements.job.integer(0)
    snapshot.id = id
    snapshot.isFirstRun = statements.job.isNull(1)
    snapshot.state = try statements.job.bytes(2).map(Self.value)
    snapshot.grant = GrantRow.grant(statements.job, from: 3)
    statements.job.reset()
    snapshot.validators = try validators(ofJob: id)
    return snapshot
  }

  private func validators(ofJob id: Int64) throws -> [ExactText: Validators] {
    var result: [ExactText: Validators] = [:]
    let row = statements.validators
    row.bind(1, id)
    while try row.step() {
      var validators = Validators(
        etag: row.text(1), lastModified: row.text(2), bodyHash: row.bytes(3),
        lastFullAnswerAt: row.time(4))
      validators.reading = row.bytes(5)
      result[ExactText(row.text(0) ?? "")] = validators
    }
    return result
  }

  private static func value(_ bytes: [UInt8]) throws -> Value {
    try bytes.withUnsafeBytes { buffer in
      var reader = ValueReader(buffer)
      return try reader.readValue()
    }
  }

  func existingJobID(_ name: String) throws -> Int64? {
    statements.job.bind(1, name)
    statements.job.bind(2, nil as String?)
    guard try statements.job.step() else { return nil }
    defer { statements.job.reset() }
    return statements.job.integer(0)
  }

  func makeJob(_ name: String, plugin: String) throws -> Int64 {
    statements.insertJob.bind(1, name)
    statements.insertJob.bind(2, plugin)
    try statements.insertJob.run()
    return lastInsertedRow
  }

  func setState(_ state: Value, job: Int64) throws {
    var writer = ValueWriter()
    if !state.isNull { writer.write(state) }
    statements.setState.bind(1, job)
    statements.setState.bind(2, state.isNull ? nil : writer.bytes)
    try statements.setState.run()
  }

  func setValidators(_ validators: Validators, url: ExactText, job: Int64) throws {
    let row = statements.setValidators
    row.bind(1, job)
    row.bind(2, url.text)
    row.bind(3, validators.etag)
    row.bind(4, validators.lastModified)
    row.bind(5, validators.bodyHash)
    row.bind(6, validators.lastFullAnswerAt)
    row.bind(7, validators.reading)
    try row.run()
  }

  func setCoolDown(_ origin: ExactText, until: Timestamp) throws {
    statements.setCoolDown.bind(1, origin.text)
    statements.setCoolDown.bind(2, until)
    try statements.setCoolDown.run()
  }
}
