import CDiskFault
import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchValues
import Glibc

// Commits runs to the store at the given path, as fast as possible, until this process is killed.
// When the store has acknowledged a commit, the run's id is written as one line to standard output.
//
// Every run after the first one of its job sends the last three items again (the job's state has
// the last run's id), three new items and a changed one. If state and items were not stored
// together, a run after a kill would show other counts.
//
// A second argument is the number of the fsync that fails. In that case each job has two attempts
// of at most 40 runs. The first error ends an attempt and is printed.

private let jobCount = 8

private func item(_ id: String, title: String) -> ParsedItem {
  var item = ParsedItem()
  item.id = id
  item.title = title
  return item
}

private func acknowledge(_ run: RunID) { say("\(run)") }

private func say(_ text: String) {
  let line = Array("\(text)\n".utf8)
  guard write(STDOUT_FILENO, line, line.count) == line.count else { exit(0) }
}

private func run(job: String, store: SQLiteStore, times: Int = .max) async throws {
  var generator = SystemRandomNumberGenerator()
  let rules = ItemRules()
  for _ in 0..<times {
    let now = Timestamp(seconds: Int64(time(nil)))
    let run = RunID(startedAt: now, random: (generator.next(), generator.next()))
    let snapshot = try await store.openJob(JobName(job), run: run)
    defer { store.abandon(JobName(job), run: run) }
    let before = snapshot.state?.stringValue
    let items = [before, run.description].compactMap { $0 }.flatMap { prefix in
      (0..<3).map { item("\(prefix)/\($0)", title: "") }
    }
    let result = IdentifiedItems(
      items + [item("counter", title: run.description)], rules: rules)
    let known = try await store.known(result, of: snapshot, rules: rules)
    let changes = Diff.decide(
      result, rules: rules, known: known, isFirstRun: snapshot.isFirstRun, isWhole: true, now: now)
    var commit = RunCommit(
      record: RunRecord(
        run: run, job: JobName(job), plugin: PluginName("crash"), trigger: .manual,
        outcome: changes.outcome, startedAt: now))
    commit.changes = changes
    commit.state = .string(run.description)
    _ = try await store.commit(commit)
    acknowledge(run)
  }
}

private func fail(_ attempt: String, _ error: any Error) {
  say("\(attempt): \((error as? StoreError)?.message ?? "\(error)")")
}

private func runUntilFailure(job: String, store: SQLiteStore) async {
  for attempt in ["failed", "again"] {
    // The number exceeds the runs that the disk's last fault may let through, because several ends
    // of runs share an fsync.
    do { try await run(job: job, store: store, times: 40) } catch { fail(attempt, error) }
  }
}

if CommandLine.arguments.count > 2 {
  disk_fault_fail_sync(Int(CommandLine.arguments[2]) ?? 0)
  do {
    let store = try await SQLiteStore.open(at: CommandLine.arguments[1])
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<jobCount {
        group.addTask { await runUntilFailure(job: "job \(number)", store: store) }
      }
    }
  } catch {
    fail("not opened", error)
  }
  exit(0)
}

let store = try await SQLiteStore.open(at: CommandLine.arguments[1]) { holder in
  let word = Array("waiting for \(holder ?? 0)\n".utf8)
  _ = write(STDERR_FILENO, word, word.count)
}
try await withThrowingTaskGroup(of: Void.self) { group in
  for number in 0..<jobCount {
    group.addTask { try await run(job: "job \(number)", store: store) }
  }
  try await group.waitForAll()
}
