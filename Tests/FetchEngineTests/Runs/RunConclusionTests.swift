import FetchHost
import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Testing

@testable import FetchEngine

/// Tests of the decision about a run's result, without a store, a clock or a worker.
@Suite struct RunConclusionTests {
  private static let now = Timestamp(seconds: 1_795_132_800)

  /// The input of a case. A letter stands for an item, and a digit after the letter stands for
  /// changed content of this item.
  struct Case: Sendable {
    var given: [String] = []
    var known: [String] = []
    var answers: [AnswerFact] = [.full]
    var isComplete = false
    var pluginSaysWhole = false
    var isFirstRun = false
    var firstRun = FirstRunRule.all
    var stored = StoredParts()
    var hasItemsOfFailedHook = false
    var isOfTransfer = false
    var isRehearsal = false
    var returnedNothing = false
    var note: String?

    init(_ change: (inout Case) -> Void = { _ in }) { change(&self) }
  }

  private static func item(_ name: String) -> ParsedItem {
    var item = ParsedItem()
    item.id = String(name.prefix(1))
    item.title = "title \(name)"
    return item
  }

  private static func leased(
    _ test: Case = Case(), decision: GrantDecision = .runs(keeping: nil)
  ) throws -> LeasedJob {
    let source = PluginSource(name: "p", fileName: "p.lua", text: [])
    var manifest = Manifest(name: "p", version: "1")
    manifest.items.complete = test.isComplete
    manifest.items.firstRun = test.firstRun
    let plugin = Plugin(named: "p", PluginFile(path: "p.lua", source: source), manifest)
    let job = Job(name: "a", plugin: plugin, options: ValueObject(), grant: Grant())
    var snapshot = JobSnapshot(name: "a")
    if !test.isFirstRun { snapshot.firstResultAt = now }
    snapshot.storedBytes = 900
    let record = RunRecord(
      run: RunID(startedAt: now, random: (1, 2)), job: "a", plugin: "p", trigger: .manual,
      outcome: .failed(Failure(.abandoned, "the run did not end")), startedAt: now)
    var transfer: TransferRecord?
    if test.isOfTransfer {
      let request = TransferRequest(url: "http://h/f", to: try FilePath("f"))
      transfer = TransferRecord(id: 7, job: "a", request: request, createdAt: now)
    }
    return LeasedJob(job, snapshot, record, transfer: transfer, decision: decision)
  }

  private static func work(_ test: Case) -> RunWork {
    var work = RunWork()
    work.answerFacts = test.answers
    work.stored = test.stored
    work.hasItemsOfFailedHook = test.hasItemsOfFailedHook
    work.isRehearsal = test.isRehearsal
    return work
  }

  private static func concluded(
    _ test: Case, _ change: (inout RunWork) -> Void = { _ in }
  ) throws -> RunConclusion {
    var work = work(test)
    change(&work)
    let conclusion = RunConclusion(try leased(test), work)
    var products = WorkerProducts()
    products.items = test.given.map(item)
    products.isWhole = test.pluginSaysWhole
    products.returnedNothing = test.returnedNothing
    products.note = test.note
    products.state = .string("state")
    let rules = conclusion.rules(for: products)
    var known = KnownItems()
    for item in IdentifiedItems(test.known.map(item), rules: rules).items {
      known[item.key] = KnownItem(
        fingerprint: item.fingerprint, presence: .present, lastSeenAt: now)
    }
    conclusion.decide(
      products,
      RunComparison(
        items: IdentifiedItems(products.items, rules: rules), rules: rules, known: known,
        isWhole: conclusion.isWhole(products)))
    return conclusion
  }

  private static func stored(added: Int) -> StoredParts {
    var stored = StoredParts()
    stored.counts = ChangeCounts(added: added)
    stored.itemCount = added
    return stored
  }

  // MARK: Outcomes

  @Test(
    arguments: [
      (Case { $0.given = ["a", "b"] }, .newData(ChangeCounts(added: 2))),
      (
        Case { ($0.given, $0.known) = (["a1", "b"], ["a", "b"]) },
        .newData(ChangeCounts(updated: 1))
      ),
      (Case { ($0.given, $0.known) = (["a"], ["a"]) }, .noData(.sameItems)),
      (Case { $0.answers = [.notModified] }, .noData(.notModified)),
      (Case { $0.answers = [.sameBody, .notModified] }, .noData(.sameBody)),
      (Case { $0.answers = [.error] }, .noData(.empty)),
      // A checkpoint counts, whatever the end of the run is.
      (
        Case { ($0.stored, $0.answers) = (stored(added: 3), [.notModified]) },
        .newData(ChangeCounts(added: 3))
      ),
      // A missing item is removed only in a complete result.
      (
        Case { ($0.given, $0.known, $0.isComplete) = (["a"], ["a", "b"], true) },
        .newData(ChangeCounts(removed: 1))
      ),
      (Case { ($0.given, $0.known) = (["a"], ["a", "b"]) }, .noData(.sameItems)),
      (
        Case {
          ($0.given, $0.known, $0.isComplete) = (["a"], ["a", "b"], true)
          $0.answers = [.full, .notModified]
        }, .noData(.sameItems)
      ),
      (
        Case {
          ($0.given, $0.known, $0.isComplete) = (["a"], ["a", "b"], true)
          $0.hasItemsOfFailedHook = true
        }, .noData(.sameItems)
      ),
      (
        Case {
          ($0.given, $0.known, $0.isComplete) = (["a"], ["a", "b"], true)
          $0.isOfTransfer = true
        }, .noData(.sameItems)
      ),
      // The plugin itself declares its result complete.
      (
        Case {
          ($0.given, $0.known, $0.pluginSaysWhole) = (["a"], ["a", "b"], true)
          $0.answers = [.notModified]
        }, .newData(ChangeCounts(removed: 1))
      ),
      (
        Case { ($0.given, $0.isFirstRun, $0.firstRun) = (["a", "b"], true, .baseline) },
        .noData(.sameItems)
      ),
      (
        Case { ($0.given, $0.isFirstRun, $0.firstRun) = (["a", "b"], true, .latest(1)) },
        .newData(ChangeCounts(added: 1))
      ),
    ] as [(Case, Outcome)])
  func `the outcome follows from items, answers and checkpoints`(
    test: Case, outcome: Outcome
  ) throws {
    let conclusion = try Self.concluded(test)
    #expect(conclusion.commit.record.outcome == outcome)
    #expect(conclusion.failure == nil)
    #expect(conclusion.commit.state == .string("state"))
    #expect(conclusion.commit.part == .end)
  }

  @Test func `a failed run stores no result, and keeps the items of its checkpoints`() throws {
    var work = Self.work(Case { $0.stored = Self.stored(added: 3) })
    work.validators = [ExactText("http://h/"): Validators(lastFullAnswerAt: Self.now)]
    let conclusion = RunConclusion(try Self.leased(), work)
    let failure = Failure(.pluginError, "no")
    conclusion.fail(failure)
    #expect(conclusion.commit.record.outcome == .failed(failure))
    #expect(conclusion.commit.record.checkpointed == ChangeCounts(added: 3))
    #expect(conclusion.commit.changes == RunChanges())
    #expect(conclusion.commit.validators.isEmpty)
    #expect(conclusion.commit.state == nil)
  }

  @Test(arguments: [(Int64(10_000), false), (1000, true)])
  func `a run whose items exceed the job's share fails`(
    bytesMax: Int64, isRefused: Bool
  ) throws {
    let many = Case { $0.given = ["a", "b", "c", "d", "e", "f"] }
    let conclusion = try Self.concluded(many) { work in
      work.storedBytesMax = bytesMax
      work.validators = [ExactText("http://h/"): Validators(lastFullAnswerAt: Self.now)]
    }
    #expect((conclusion.failure?.code == .storeQuota) == isRefused)
    #expect(conclusion.commit.changes.changes.isEmpty == isRefused)
    #expect(conclusion.commit.validators.isEmpty == isRefused)
  }

  @Test func `items of checkpoints count towards the job's share`() throws {
    let one = Case {
      $0.given = ["a"]
      $0.stored.byteCount = 9_100
    }
    let conclusion = try Self.concluded(one) { $0.storedBytesMax = 10_000 }
    #expect(conclusion.failure?.code == .storeQuota)
  }

  // MARK: Notes

  @Test(
    arguments: [
      (Case { $0.returnedNothing = true }, "nothing returned"),
      (Case { ($0.returnedNothing, $0.note) = (true, "idle") }, "idle"),
      (Case { $0.stored.transferCount = 2 }, "2 downloads queued"),
      (
        Case { ($0.stored.transferCount, $0.isRehearsal) = (1, true) },
        "would queue 1 download; would make 3 file changes"
      ),
      (
        Case { ($0.given, $0.isFirstRun, $0.firstRun) = (["a"], true, .baseline) },
        "first run: 1 item stored, which is not news"
      ),
      (Case { $0.given = ["a"] }, nil),
    ] as [(Case, String?)])
  func `a run's note follows from its outcome`(test: Case, note: String?) throws {
    let conclusion = try Self.concluded(test) { $0.unchangedFileCount = 3 }
    #expect(conclusion.commit.record.note == note)
  }

  @Test func `the log of a first run names the most frequent mistakes`() throws {
    let nothing = Case { ($0.isFirstRun, $0.returnedNothing) = (true, true) }
    #expect(
      try Self.concluded(nothing).hints
        == [LogLine(.warning, "fetch returned nothing; is `return items` missing at its end?")])
    var later = nothing
    later.isFirstRun = false
    #expect(try Self.concluded(later).hints.isEmpty)
    var cached = nothing
    cached.answers = [.notModified]
    #expect(try Self.concluded(cached).hints.isEmpty)
  }

  // MARK: The next time

  @Test func `cooldowns of failed runs are kept, with the later time for each origin`() throws {
    func note(_ seconds: Int64) -> RetryAfterNote {
      RetryAfterNote(
        origin: "http://h", hostname: "h", status: 429, until: Self.now + .seconds(seconds))
    }
    var work = RunWork()
    work.retryAfters = [note(60), note(30)]
    let conclusion = RunConclusion(try Self.leased(), work)
    conclusion.fail(Failure(.httpStatus, "429"))
    #expect(conclusion.facts().retryAfters == work.retryAfters)
    var next = RunSettlement(nextDueAt: Self.now + .seconds(90))
    next.coolDowns = [
      ExactText("http://h"): Self.now + .seconds(45), ExactText("http://i"): Self.now + .seconds(5),
    ]
    conclusion.settle(next)
    #expect(conclusion.commit.record.nextDueAt == Self.now + .seconds(90))
    #expect(
      conclusion.commit.coolDowns == [
        ExactText("http://h"): Self.now + .seconds(60),
        ExactText("http://i"): Self.now + .seconds(5),
      ])
  }

  @Test
  func `the schedule also learns from items that are not news, and from those of checkpoints`()
    throws
  {
    let test = Case {
      ($0.given, $0.isFirstRun, $0.firstRun) = (["a", "b"], true, .baseline)
      $0.stored = Self.stored(added: 3)
    }
    let facts = try Self.concluded(test).facts()
    #expect(facts.newCount == 5)
    #expect(facts.shownCount == 5)
  }

  // MARK: The log

  @Test func `a test reports warnings of texts that are not dates or addresses`() {
    let warnings = [
      "item 1: the text in 'published' is not an RFC 3339 date: convert it with time.iso(text)",
      "item 2: the text in 'url' is not an address such as https://example.org/1",
    ]
    var lines = CaseLines()
    lines.append((warnings + ["slow"]).map { LogLine(.warning, $0) }, .noData(.sameItems))
    #expect(lines.mistakes == warnings)
  }

  // MARK: The transfer

  @Test(
    arguments: [
      (nil, true, 7), (.pluginError, true, 7), (.cancelled, true, nil), (.permission, false, nil),
    ] as [(FailureCode?, Bool, Int64?)])
  func `a transfer counts as reported unless its notification run was cancelled or refused`(
    code: FailureCode?, isGranted: Bool, reported: Int64?
  ) throws {
    let test = Case { $0.isOfTransfer = true }
    let decision: GrantDecision = isGranted ? .runs(keeping: nil) : .lacking(["no secret"])
    let conclusion = RunConclusion(try Self.leased(test, decision: decision), Self.work(test))
    if let code {
      conclusion.fail(Failure(code, "no"))
    } else {
      conclusion.decide(WorkerProducts(), nil)
    }
    conclusion.deliver([])
    #expect(conclusion.commit.toldTransfer == reported)
  }
}
