import FetchEngine
import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import FetchWeb

/// All pages of the site with invented content, which a test can replace field by field.
///
/// `text` receives the name of a field and its usual content, and returns the content to show. A
/// hostile payload in one field may change only the text of the page.
struct SamplePages {
  enum Size: String, CaseIterable {
    case empty, usual, large
  }

  /// The fields whose content comes from sources, plugins or servers.
  static let fields = [
    "title", "url", "id", "summary", "tags", "job", "failure", "reason", "hostname", "file",
  ]

  var size = Size.usual
  var text: (_ field: String, _ usual: String) -> String = { $1 }

  let now = Timestamp(seconds: 1_795_518_060)  // Tuesday 2026-11-24 11:01 UTC

  /// The pages by name.
  var all: [(name: String, html: HTML)] {
    [
      ("overview", overview.html(frame(LocalAddress()))),
      ("job", job.html(frame(LocalAddress("jobs", "swift")))),
      ("items", items.html(frame(LocalAddress("items")))),
      ("item", item.html(frame(LocalAddress("items", "48213")))),
      ("runs", runs.html(frame(LocalAddress("runs")))),
      ("run", run.html(frame(LocalAddress("runs", "1")))),
      ("budget", budget.html(frame(LocalAddress("budget")))),
      ("deliveries", deliveries.html(frame(LocalAddress("deliveries")))),
      ("transfers", transfers.html(frame(LocalAddress("transfers")))),
      ("permissions", permissions.html(frame(LocalAddress("jobs", "ships", "permissions")))),
      ("tokens", tokens.html(frame(LocalAddress("tokens")))),
      ("about", about.html(frame(LocalAddress("about")))),
      (
        "error",
        ErrorPage(status: 404, sentence: text("failure", "There is no job 'swfit'."), hint: nil)
          .html(frame(LocalAddress("jobs", "swfit")))
      ),
      ("login", LoginPage().html),
    ]
  }

  func frame(_ address: LocalAddress) -> PageFrame {
    var frame = PageFrame(
      now: now, viewer: Viewer(name: "anna", acts: true, grants: true, formToken: "f00"),
      address: address)
    if size != .empty {
      frame.unseenCount = 12
      frame.deadCount = 2
    }
    return frame
  }

  private func ago(_ minutes: Int64) -> Timestamp { now + .seconds(-60 * minutes) }

  // MARK: Overview

  private static let names = [
    "prices", "ships", "news", "swift", "kernel", "reuters", "weather", "papers", "releases",
    "archive", "status-pages", "tenders", "podcasts", "forum", "mirror", "photos",
  ]

  var overview: OverviewPage {
    let count = size == .empty ? 0 : size == .usual ? 16 : 10_000
    var page = OverviewPage(jobCount: count, span: .day(now))
    guard count > 0 else { return page }
    page.attention = attention
    page.attentionCount = size == .usual ? 3 : 41
    page.servingSince = ago(60 * 27)
    page.nextDueAt = now + .seconds(40)
    page.rows = (0..<min(count, size == .usual ? 16 : 100)).map(row)
    page.next = size == .large ? LocalAddress().adding("after", "x") : nil
    page.troubles = [text("failure", "The machine has had no network for 3 min.")]
      .filter { _ in size == .large }
    page.budget = ledger
    page.closedLaneCount = 1
    page.lanesOpenAt = now + .seconds(39 * 60)
    return page
  }

  private var attention: [OverviewPage.Attention] {
    [
      .init(
        job: text("job", "prices"),
        why: text("failure", "failed 5 times since Tue 08:10: HTTP 503 from api.example.org"),
        action: .run),
      .init(
        job: "ships", why: "its file needs a new permission: reach tracker.example",
        action: .review),
      .init(job: "archive", why: "paused: its source answered 410 Gone", action: .resume),
    ]
  }

  private func row(_ index: Int) -> OverviewPage.Row {
    let name =
      index < Self.names.count
      ? text("job", Self.names[index]) : "job-\(index + 1)-with-a-long-name.example"
    let states = ["backOff", "paused", "scheduled", "scheduled", "running", "waiting"]
    let state = index < states.count ? states[index] : "scheduled"
    let status = Self.status([
      "job": .string(name), "state": .string(state),
      "lastOutcome": .string(state == "backOff" ? "failed" : "newData"),
      "nextDueAt": state == "paused"
        ? .null : .string((now + .seconds(Int64(index) * 431 + 60)).descriptionInSeconds),
      "why": .string(text("failure", "it is due by its learned schedule")),
      "failures": .integer(state == "backOff" ? 5 : 0),
      "lane": .string(text("hostname", "api.example.org")),
    ])
    let plot = TimelinePlot(.day(now), marks(seed: UInt64(index), hours: 18, ahead: 6))
    return OverviewPage.Row(status, plot)
  }

  private static func status(_ value: Value) -> StatusLine {
    guard let line = StatusLine(value) else { preconditionFailure("not a status line: \(value)") }
    return line
  }

  private func marks(seed: UInt64, hours: Int64, ahead: Int64) -> [TimelinePlot.Mark] {
    var random = SeededGenerator(seed: seed &* 7 &+ 3)
    let step = Int64.random(in: 12...110, using: &random)
    let isFailing = seed == 0
    var marks: [TimelinePlot.Mark] = []
    var minute = hours * 60 - Int64.random(in: 0..<step, using: &random)
    while minute > 0 {
      let roll = Int.random(in: 0..<100, using: &random)
      let kind: TimelinePlot.Kind =
        isFailing && minute < hours * 14
        ? .failed : roll < 24 ? .newData : roll < 97 ? .noData : .failed
      marks.append(.init(kind, at: ago(minute)))
      minute -= step + Int64.random(in: -4...4, using: &random)
    }
    var next = step / 2
    while next < ahead * 60, marks.count < 500 {
      marks.append(.init(.planned, at: now + .seconds(next * 60)))
      next += step
    }
    return marks
  }

  private var ledger: [LedgerLine] {
    let lines: [Value] = [
      ["resource": "runsAtOnce", "limit": 16, "burst": 16, "available": 15, "used": 1],
      [
        "resource": "requests", "limit": 600, "period": "h", "burst": 600, "available": 366,
        "used": 234, "spent": 12_406,
      ],
      [
        "resource": "bytes", "limit": 500_000_000, "period": "h", "burst": 500_000_000,
        "available": 460_000_000, "used": 40_000_000, "spent": 3_000_000_000,
      ],
      ["resource": "cpu", "spent": 400_000],
    ]
    return lines.compactMap { LedgerLine($0) }
  }

  // MARK: Job

  var job: JobPage {
    let status = Self.status([
      "job": .string(text("job", "swift")), "state": "scheduled", "lastOutcome": "newData",
      "nextDueAt": .string((now + .seconds(720)).descriptionInSeconds), "why": "",
      "failures": 0, "lane": .string(text("hostname", "www.swift.org")),
    ])
    var page = JobPage(
      status,
      week: TimelinePlot(
        .week(now), size == .empty ? [] : marks(seed: 3, hours: 6 * 24, ahead: 24)))
    page.sentences = [
      "It is due in 12 minutes by its learned schedule.",
      "At this rate it is checked about every 48 minutes; the budget is not the limit.",
      text("failure", "The lane of www.swift.org is closed until 11:20, because it answered 429."),
    ]
    page.gates =
      ["due", "hints", "run times", "pause", "conditions", "budget"].map {
        JobPage.Gate(name: $0, isOpen: true, why: nil)
      } + [JobPage.Gate(name: "lane", isOpen: false, why: text("hostname", "closed until 11:20"))]
    if size == .empty { return page }
    page.cost = JobCost((0..<200).map(record))
    page.delays = DelayPlot((0..<120).map { .seconds(Int64($0 * $0) * 7) })
    page.runs = Array(runs.runs.prefix(8))
    page.items = Array(items.rows.prefix(5))
    page.skips = [
      SkipRecord(
        job: "swift", at: ago(300),
        reason: text("reason", "a push came, but a run was already pending"))
    ]
    page.transfers = Array(transfers.transfers.prefix(2))
    page.deliveries = Array(deliveries.deliveries.prefix(2))
    return page
  }

  // MARK: Items

  private static let titles = [
    "Swift 6.4 released", "SE-0499 accepted: non-copyable sequences", "Linux 6.18-rc7",
    "Rotterdam port closes for two days", "A new kernel for the night shift: notes from the field",
    "Weekly brief 47", "Tender 2026/118: harbour dredging", "PostgreSQL 18.2",
    "Storm warning lifted",
    "An unusually long title that a source has written without any thought for the people who will "
      + "read it on a small telephone in a train",
  ]

  private func stored(_ index: Int) -> StoredItem {
    let kinds: [ChangeKind] = [.updated, .added, .added, .updated, .removed]
    let fields: Value = [
      "summary": .string(
        text("summary", "<p>The <b>second</b> release &amp; its notes.</p><script>x</script>")),
      "tags": .array([.string(text("tags", "release"))]), "price": 42,
    ]
    return StoredItem(
      sequence: Int64(48_213 - index * 3),
      job: JobName(text("job", Self.names[(index * 5 + 3) % 16])),
      key: ItemKey(text("id", "tag:example.org,2026:\(index)")), change: kinds[index % 5],
      title: text("title", Self.titles[index % Self.titles.count]),
      url: text("url", "https://www.example.org/news/\(index)"),
      published: "2026-11-24T08:00:00Z", seenAt: ago(Int64(index * index) * 9 + 4),
      fieldsJSON: (try? JSONWriter.text(fields)) ?? "{}")
  }

  /// Returns a difference whose lines are safe, as are the lines of `ItemDiff`.
  private func difference(_ title: String) -> String {
    "@@ -1,3 +1,3 @@\n " + PlainText.line(text("title", title)) + "\n-summary: "
      + PlainText.line(text("summary", "out next week")) + "\n+summary: out now\n"
  }

  var items: ItemsPage {
    var page = ItemsPage(
      job: nil,
      rows: size == .empty
        ? []
        : (0..<(size == .usual ? 14 : 100)).map { index in
          ItemsPage.Row(
            stored(index),
            difference: index % 5 == 0
              ? difference("title: Swift 6.4") : nil)
        })
    page.seenSequence = 48_195
    page.seenAt = ago(60 * 27)
    page.next = size == .large ? LocalAddress("items").adding("before", "47916") : nil
    return page
  }

  var item: ItemPage {
    ItemPage(
      versions: [stored(0), stored(1), stored(2)], index: 0,
      difference: difference("title: Swift 6.4 released"))
  }

  // MARK: Runs

  private func record(_ index: Int) -> RunRecord {
    let outcomes: [Outcome] = [
      .newData(ChangeCounts(added: 3, updated: 1, removed: 0)), .noData(.notModified),
      .noData(.sameItems),
      .failed(
        Failure(
          .httpStatus, text("failure", "api.example.org answered 503 Service Unavailable"),
          retryable: true, file: text("file", "prices.lua"), line: 14)),
      .noData(.sameBody),
    ]
    let at = ago(Int64(index) * 47 + 3)
    var record = RunRecord(
      run: RunID(startedAt: at, random: (UInt64(index), 7)),
      job: JobName(text("job", Self.names[(index * 7) % 16])),
      plugin: PluginName(text("file", "rss")),
      trigger: index % 6 == 0 ? .manual : .schedule, outcome: outcomes[index % 5], startedAt: at)
    record.duration = .milliseconds(420 + index * 131)
    record.cpu = .milliseconds(12)
    record.requestCount = 1
    record.receivedBytes = index % 5 == 1 ? 0 : 30_412
    record.nextDueAt = now + .seconds(720)
    return record
  }

  var runs: RunsPage {
    var page = RunsPage(
      job: nil, outcome: nil,
      runs: size == .empty ? [] : (0..<(size == .usual ? 20 : 100)).map(record))
    page.next = size == .large ? LocalAddress("runs").adding("before", "1") : nil
    return page
  }

  var run: RunPage { RunPage(record(3), isReplayable: true) }

  // MARK: Other views

  var budget: BudgetPage {
    let lanes: [Value] = [
      [
        "hostname": .string(text("hostname", "api.example.org")), "running": 0, "waiting": 2,
        "closedUntil": .string((now + .seconds(39 * 60)).descriptionInSeconds),
        "why": .string(text("failure", "it answered 429 Too Many Requests")),
      ],
      ["hostname": "www.swift.org", "running": 1, "waiting": 0],
    ]
    return BudgetPage(lines: ledger, lanes: size == .empty ? [] : lanes.compactMap { LaneLine($0) })
  }

  var deliveries: DeliveriesPage {
    let list = (0..<(size == .empty ? 0 : size == .usual ? 5 : 100)).map { index in
      var delivery = Delivery(
        id: Int64(index + 1), hook: index % 2 == 0 ? "chat" : "mail-to-the-night-shift",
        job: JobName(text("job", Self.names[index % 16])), event: .newData, payload: "{}", key: "k",
        createdAt: ago(120))
      if index < 2 {
        delivery.state = .dead
        delivery.attemptCount = 14
        delivery.failure = text("failure", "HTTP 410 Gone from hooks.example.org")
      } else {
        delivery.nextAttemptAt = now + .seconds(Int64(index) * 90)
      }
      return delivery
    }
    return DeliveriesPage(list, onlyDead: false)
  }

  var transfers: TransfersPage {
    let states: [TransferState] = [.running, .queued, .waiting, .failed, .done]
    let count = size == .empty ? 0 : size == .usual ? 5 : 100
    let list = (0..<count).compactMap { (index: Int) -> TransferRecord? in
      let usual = "mirror/2026/image-\(index).iso"
      guard let path = (try? FilePath(text("file", usual))) ?? (try? FilePath(usual)) else {
        return nil
      }
      var record = TransferRecord(
        id: Int64(index + 1), job: JobName(text("job", "mirror")),
        request: TransferRequest(url: text("url", "https://mirror.example/\(index)"), to: path),
        createdAt: ago(50))
      record.state = states[index % 5]
      record.download.receivedBytes = Int64(index + 1) * 120_000_000
      record.download.totalBytes = 700_000_000
      if record.state == .failed {
        record.failure = Failure(
          .httpStatus, text("failure", "mirror.example answered 404 Not Found"))
      }
      if record.state == .waiting { record.nextAttemptAt = now + .seconds(300) }
      return record
    }
    return TransfersPage(list)
  }

  var permissions: PermissionsPage {
    PermissionsPage(
      job: text("job", "ships"),
      requested: ["reach api.example.org", text("hostname", "reach tracker.example")],
      missing: size == .empty ? [] : [text("hostname", "reach tracker.example")],
      hash: String(repeating: "3f", count: 32))
  }

  var tokens: TokensPage {
    TokensPage(
      size == .empty
        ? []
        : [
          .init(
            name: "phone", scopes: ["read", "act"], jobs: "news*",
            expiresAt: now + .seconds(86_400 * 60), usedAt: ago(9)),
          .init(name: "prometheus", scopes: ["metrics"], jobs: nil, expiresAt: nil, usedAt: nil),
        ])
  }

  var about: AboutPage {
    var page = AboutPage(version: "0.1.0")
    page.store = text("file", "/var/lib/fetchrun/store.sqlite")
    page.checks = [
      .init("store"), .init("daemon"), .init("disk"), .init("schedule"),
      size == .empty
        ? .init("deliveries") : .init("deliveries", .degraded, "2 deliveries given up"),
      .init("network"), .init("pause"),
    ]
    page.findings = [
      Finding(
        subject: "worker", grade: size == .empty ? .good : .weak,
        message: text(
          "message", "system call filter on, Landlock off; run only plugins that you trust")),
      Finding(subject: "http", grade: .good, message: "libcurl 7.88.1"),
    ]
    return page
  }
}
