import FetchModel
import FetchStore
import FetchValues

/// The rows that one call of the server function `commit_runs_v1` stores. Each column is passed as
/// one array. The commits of one call must belong to different jobs.
struct PostgresCommit {
  private var newJobs = (ids: [Int64?](), names: [String?](), plugins: [String?]())
  private var jobs = JobColumns()
  private var learned = (jobs: [Int64?](), contents: [[UInt8]?]())
  private var runs = RunColumns()
  private var changes = ChangeColumns()
  private var seen = (jobs: [Int64?](), keys: [[UInt8]?](), times: [Int64?]())
  private var validators = ValidatorColumns()
  private var deliveries = DeliveryColumns()
  private var ledger: [String: [UInt8]] = [:]

  private struct JobColumns {
    var ids: [Int64?] = []
    var identities: [String?] = []
    var hasState: [Bool] = []
    var states: [[UInt8]?] = []
    var schedules: [[UInt8]?] = []
    var byteCounts: [Int64?] = []
    var firstResults: [Int64?] = []
  }

  private struct RunColumns {
    var runs: [[UInt8]?] = []
    var jobs: [Int64?] = []
    var plugins: [String?] = []
    var triggers: [String?] = []
    var outcomes: [String?] = []
    var reasons: [String?] = []
    var added: [Int64?] = []
    var updated: [Int64?] = []
    var removed: [Int64?] = []
    var starts: [Int64?] = []
    var durations: [Int64?] = []
    var cpu: [Int64?] = []
    var requests: [Int64?] = []
    var received: [Int64?] = []
    var failures: [[UInt8]?] = []
    var dueTimes: [Int64?] = []
    var ends: [Int64?] = []
    /// Whether each run has a row in `running`.
    var hasRow: [Bool] = []
  }

  private struct ChangeColumns {
    var sequences: [Int64?] = []
    var jobs: [Int64?] = []
    var kinds: [Int64?] = []
    var times: [Int64?] = []
    var keys: [[UInt8]?] = []
    var titles: [String?] = []
    var urls: [String?] = []
    var published: [String?] = []
    var fields: [[UInt8]?] = []
    var high: [Int64?] = []
    var low: [Int64?] = []
    var presence: [Int64?] = []
  }

  private struct ValidatorColumns {
    var jobs: [Int64?] = []
    var urls: [String?] = []
    var etags: [String?] = []
    var modified: [String?] = []
    var hashes: [[UInt8]?] = []
    var answered: [Int64?] = []
    var readings: [[UInt8]?] = []
  }

  private struct DeliveryColumns {
    var ids: [Int64?] = []
    var hooks: [String?] = []
    var jobs: [String?] = []
    var runs: [[UInt8]?] = []
    var events: [String?] = []
    var keys: [String?] = []
    var payloads: [String?] = []
    var notBefore: [Int64?] = []
    var created: [Int64?] = []
  }

  /// Adds a job that the store does not have yet.
  mutating func addJob(_ id: Int64, _ name: JobName, plugin: PluginName) {
    newJobs.ids.append(id)
    newJobs.names.append(name.text)
    newJobs.plugins.append(plugin.text)
  }

  /// Adds a commit. Returns its receipt, and the size of the encoded new state in bytes. The size
  /// is nil if the commit has no state.
  ///
  /// - Parameters:
  ///   - job: the id of the job.
  ///   - hasRow: whether the table `running` has a row of the run.
  ///   - known: the remembered snapshots. Validators that they contain are not stored again.
  ///   - numbers: the last assigned numbers, which this function increases.
  mutating func add(
    _ commit: RunCommit, job: Int64, hasRow: Bool, known: SnapshotMemory,
    _ numbers: inout WriterNumbers
  ) -> (receipt: CommitReceipt, stateBytes: Int?) {
    let record = commit.record
    let isEnd = commit.part == .end
    if isEnd { numbers.ended += 1 }
    add(record, job: job, ended: isEnd ? numbers.ended : nil, hasRow: hasRow)
    var receipt = CommitReceipt()
    receipt.deliveryCount = commit.deliveries.count
    if !commit.changes.changes.isEmpty { receipt.firstSequence = numbers.sequence + 1 }
    for change in commit.changes.changes {
      numbers.sequence += 1
      receipt.byteCount += add(change, numbers.sequence, job: job, at: record.startedAt)
    }
    for key in commit.changes.seen {
      seen.jobs.append(job)
      seen.keys.append(Array(key.text.utf8))
      seen.times.append(record.startedAt.milliseconds)
    }
    add(commit, job: job, byteCount: receipt.byteCount)
    for (url, stored) in commit.validators where !known.has(stored, of: url, job: record.job) {
      add(stored, url: url.text, job: job)
    }
    for delivery in commit.deliveries {
      add(delivery, firstSequence: receipt.firstSequence, &numbers)
    }
    ledger.merge(commit.shared.ledger) { $1 }
    return (receipt, commit.state == nil ? nil : jobs.states.last.flatMap(\.self)?.count ?? 0)
  }

  /// Adds the record of a run that has begun.
  mutating func note(_ record: RunRecord, job: Int64) {
    add(record, job: job, ended: nil, hasRow: false)
  }

  private mutating func add(_ record: RunRecord, job: Int64, ended: Int64?, hasRow: Bool) {
    runs.runs.append(record.run.bytes)
    runs.jobs.append(job)
    runs.plugins.append(record.plugin.text)
    runs.triggers.append(record.trigger.rawValue)
    runs.outcomes.append(ended == nil ? RunRow.runningWord : record.outcome.word)
    runs.reasons.append(record.outcome.reason?.rawValue)
    runs.added.append(Int64(record.counts.added))
    runs.updated.append(Int64(record.counts.updated))
    runs.removed.append(Int64(record.counts.removed))
    runs.starts.append(record.startedAt.milliseconds)
    runs.durations.append(record.duration.wholeMilliseconds)
    runs.cpu.append(record.cpu.wholeMicroseconds)
    runs.requests.append(Int64(record.requestCount))
    runs.received.append(Int64(record.receivedBytes))
    runs.failures.append(record.outcome.failure.map { Array($0.json.utf8) })
    runs.dueTimes.append(record.nextDueAt?.milliseconds)
    runs.ends.append(ended)
    runs.hasRow.append(hasRow)
  }

  private mutating func add(_ commit: RunCommit, job: Int64, byteCount: Int) {
    jobs.ids.append(job)
    jobs.identities.append(commit.identity)
    jobs.hasState.append(commit.state != nil)
    jobs.states.append(commit.state.flatMap { $0.isNull ? nil : $0.encoded })
    jobs.schedules.append(commit.schedule?.content)
    jobs.byteCounts.append(Int64(byteCount))
    jobs.firstResults.append(commit.isResult ? commit.record.startedAt.milliseconds : nil)
    guard let content = commit.schedule?.learned else { return }
    learned.jobs.append(job)
    learned.contents.append(content)
  }

  /// Adds a change. Returns its size in bytes.
  private mutating func add(
    _ change: ItemChange, _ sequence: Int64, job: Int64, at time: Timestamp
  ) -> Int {
    let presence: KnownItem.Presence = change.kind == .removed ? .removed : .present
    let fields = change.item?.fieldsJSON
    changes.sequences.append(sequence)
    changes.jobs.append(job)
    changes.kinds.append(Int64(change.kind.rawValue))
    changes.times.append(time.milliseconds)
    changes.keys.append(Array(change.key.text.utf8))
    changes.titles.append(change.item?.title)
    changes.urls.append(change.item?.url)
    changes.published.append(change.item?.published)
    changes.fields.append(fields)
    changes.high.append(Int64(bitPattern: change.fingerprint.high))
    changes.low.append(Int64(bitPattern: change.fingerprint.low))
    changes.presence.append(Int64(presence.rawValue))
    return ItemChange.storedBytes(key: change.key, fields: fields?.count ?? 2)
  }

  private mutating func add(_ stored: Validators, url: String, job: Int64) {
    validators.jobs.append(job)
    validators.urls.append(url)
    validators.etags.append(stored.etag)
    validators.modified.append(stored.lastModified)
    validators.hashes.append(stored.bodyHash)
    validators.answered.append(stored.lastFullAnswerAt.milliseconds)
    validators.readings.append(stored.reading)
  }

  private mutating func add(
    _ delivery: NewDelivery, firstSequence: Int64?, _ numbers: inout WriterNumbers
  ) {
    numbers.delivery += 1
    deliveries.ids.append(numbers.delivery)
    deliveries.hooks.append(delivery.hook.text)
    deliveries.jobs.append(delivery.job.text)
    deliveries.runs.append(delivery.run?.bytes)
    deliveries.events.append(delivery.event.rawValue)
    deliveries.keys.append(delivery.key)
    deliveries.payloads.append(delivery.payload.text(firstSequence: firstSequence ?? 0))
    deliveries.notBefore.append(delivery.notBefore?.milliseconds)
    deliveries.created.append(delivery.createdAt.milliseconds)
  }

  /// Returns the arguments of `commit_runs_v1`, in the order of its parameters.
  func arguments(_ numbers: WriterNumbers, batch: [UInt8]) -> PostgresArguments {
    var all = PostgresArguments()
    all.add(batch)
    for number in [numbers.sequence, numbers.ended, numbers.job, numbers.delivery] {
      all.add(number)
    }
    all.add(newJobs.ids)
    all.add(texts: newJobs.names)
    all.add(texts: newJobs.plugins)
    all.add(jobs.ids)
    all.add(texts: jobs.identities)
    all.add(jobs.hasState)
    all.add(jobs.states)
    all.add(jobs.schedules)
    all.add(jobs.byteCounts)
    all.add(jobs.firstResults)
    all.add(learned.jobs)
    all.add(learned.contents)
    all.add(runs.runs)
    all.add(runs.jobs)
    for texts in [runs.plugins, runs.triggers, runs.outcomes, runs.reasons] {
      all.add(texts: texts)
    }
    for numbers in [
      runs.added, runs.updated, runs.removed, runs.starts, runs.durations, runs.cpu, runs.requests,
      runs.received,
    ] { all.add(numbers) }
    all.add(runs.failures)
    all.add(runs.dueTimes)
    all.add(runs.ends)
    all.add(runs.hasRow)
    for numbers in [changes.sequences, changes.jobs, changes.kinds, changes.times] {
      all.add(numbers)
    }
    all.add(changes.keys)
    for texts in [changes.titles, changes.urls, changes.published] { all.add(contents: texts) }
    all.add(changes.fields)
    for numbers in [changes.high, changes.low, changes.presence] { all.add(numbers) }
    all.add(seen.jobs)
    all.add(seen.keys)
    all.add(seen.times)
    all.add(validators.jobs)
    for texts in [validators.urls, validators.etags, validators.modified] {
      all.add(contents: texts)
    }
    all.add(validators.hashes)
    all.add(validators.answered)
    all.add(validators.readings)
    all.add(deliveries.ids)
    all.add(texts: deliveries.hooks)
    all.add(texts: deliveries.jobs)
    all.add(deliveries.runs)
    all.add(texts: deliveries.events)
    all.add(contents: deliveries.keys)
    all.add(contents: deliveries.payloads)
    all.add(deliveries.notBefore)
    all.add(deliveries.created)
    let entries = ledger.sorted { $0.key < $1.key }
    all.add(texts: entries.map(\.key))
    all.add(entries.map { $0.value as [UInt8]? })
    return all
  }
}
