import FetchEngine
import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues

@testable import FetchWeb

/// Runs that are stored in the same steps as in the pipeline.
enum StoredRuns {
  static let start = Timestamp(seconds: 1_800_000_000)

  /// Stores a run of a job with items of these ids and titles.
  static func add(
    _ number: Int, to store: any Store, job: JobName = "news", items: [(id: String, title: String)],
    fails: Bool = false, content: String? = nil, isWhole: Bool = false
  ) async throws {
    let id = RunID(startedAt: start, random: (UInt64(number), UInt64(number)))
    let snapshot = try await store.openJob(job, run: id)
    defer { store.abandon(job, run: id) }
    let parsed = items.map { item in
      var parsed = ParsedItem()
      (parsed.id, parsed.title, parsed.content) = (item.id, item.title, content)
      parsed.url = "https://example.org/\(number)"
      return parsed
    }
    var rules = ItemRules()
    rules.complete = isWhole
    let result = IdentifiedItems(parsed, rules: rules)
    let known = try await store.known(result, of: snapshot, rules: rules)
    let changes = Diff.decide(
      result, rules: rules, known: known, isFirstRun: snapshot.isFirstRun, isWhole: isWhole,
      now: start)
    let outcome =
      fails ? Outcome.failed(Failure(.tls, "no", retryable: true)) : changes.outcome
    var commit = RunCommit(
      record: RunRecord(
        run: id, job: job, plugin: "rss", trigger: .manual, outcome: outcome, startedAt: start))
    commit.changes = changes
    _ = try await store.commit(commit)
  }

  /// Returns the end of a run of the job `news` with one item, for a test that stores it at a time
  /// when it cannot wait.
  static func end(_ number: Int, item: (id: String, title: String)) -> RunCommit {
    var parsed = ParsedItem()
    (parsed.id, parsed.title) = (item.id, item.title)
    let rules = ItemRules()
    let changes = Diff.decide(
      IdentifiedItems([parsed], rules: rules), rules: rules, known: KnownItems(),
      isFirstRun: false, isWhole: false, now: start)
    var commit = RunCommit(
      record: RunRecord(
        run: RunID(startedAt: start, random: (UInt64(number), UInt64(number))), job: "news",
        plugin: "rss", trigger: .manual, outcome: changes.outcome, startedAt: start))
    commit.changes = changes
    return commit
  }
}

/// The events of a stream, as a browser reads them (HTML, 9.2.6).
struct ReceivedEvents {
  struct Event: Equatable {
    var name: String
    var data: Value
    var id: String
  }

  private(set) var events: [Event] = []
  /// The last event id, which may be from a block without data.
  private(set) var id = ""
  private(set) var comments = 0
  private(set) var retry: Int?
  private var rest = ""

  init(_ text: String = "") { add(text) }

  /// Takes more text. An incomplete block at the end of a stream is not an event.
  mutating func add(_ text: String) {
    rest += text
    while let end = rest.firstRange(of: "\n\n") {
      take(String(rest[..<end.lowerBound]))
      rest = String(rest[end.upperBound...])
    }
  }

  private mutating func take(_ block: String) {
    var (name, data) = ("message", [String]())
    for line in block.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix(":") { comments += 1 }
      if line.hasPrefix("id: ") { id = String(line.dropFirst(4)) }
      if line.hasPrefix("retry: ") { retry = Int(line.dropFirst(7)) }
      if line.hasPrefix("event: ") { name = String(line.dropFirst(7)) }
      if line.hasPrefix("data: ") { data.append(String(line.dropFirst(6))) }
    }
    guard !data.isEmpty else { return }
    let value = (try? JSONReader.decode(data.joined(separator: "\n"))) ?? .null
    events.append(Event(name: name, data: value, id: id))
  }

  /// The items by their sequences, and the runs by their jobs, in order.
  var log: [String] {
    events.compactMap { event in
      switch event.name {
      case "item": "item \(event.data["sequence"]?.integerValue ?? 0)"
      case "run": "run \(event.data["run"]?.stringValue?.suffix(6) ?? "")"
      default: nil
      }
    }
  }

  func count(_ name: String) -> Int { events.count { $0.name == name } }
}
