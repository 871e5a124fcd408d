import FetchEngine
import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Glibc
import Testing

@testable import FetchWeb

/// Tests of the data that the site reads for its pages.
@Suite struct PageLoadingTests {
  /// Returns a daemon with jobs. A job whose name ends with `-bad` fails.
  private static func daemon(_ names: [String]) -> WebControl.Send {
    { (request, line) async throws(ControlError) in
      switch request {
      case .overview:
        var overview = OverviewLine(isServed: true)
        overview.jobs = [.scheduled: names.count]
        line(overview.value)
      case .status(_, let filter):
        let chosen = names.filter { name in
          (!filter.isFailing || name.hasSuffix("-bad"))
            && (filter.after.map { after in after < name } ?? true)
        }
        for name in chosen.prefix(filter.limit ?? .max) {
          line(["job": .string(name), "state": "scheduled", "why": ""])
        }
      case .plan(let jobs, _) where jobs.count > PlanLine.jobsMax:
        return .failed("the request names more than \(PlanLine.jobsMax) jobs")
      default: break
      }
      return .done
    }
  }

  @Test func `the overview counts the jobs of the token, on all pages of its list`() async throws {
    let hidden = (0..<StatusFilter.limitMax).map { "a\($0)-bad" }
    let site = try TestSite(daemon: Self.daemon(hidden + ["mine-1", "mine-2-bad", "mine-3"]))
    let token = try site.token(jobs: ["mine*"])
    let answer = await site.answer("GET", "/", [("Authorization", "Bearer \(token)")])
    #expect(answer.text.contains(">1 of 3 jobs needs you</h1>"))
  }

  @Test func `the pages of a token name only its jobs, also in the addresses of further pages`()
    async throws
  {
    let names = (0..<60).flatMap { ["mine-\($0)", "secret-\($0)"] }
    let site = try TestSite(daemon: Self.daemon(names))
    let token = try site.token(jobs: ["mine*"])
    let fields = [("Authorization", "Bearer \(token)")]
    let page = await site.answer("GET", "/?rows=50", fields).text
    #expect(page.ranges(of: "<tr data-job=").count == 50)
    #expect(page.contains("after=mine-49"))
    #expect(!page.contains("secret"))
    // The hidden job must not be a hint for the similar name of a job that does not exist.
    try await StoredRuns.add(1, to: site.store, job: "min-e1", items: [])
    let runs = await site.answer("GET", "/runs?job=mine1", fields)
    #expect(runs.status == 404)
    #expect(!runs.text.contains("min-e1"))
  }

  @Test func `the overview has as many rows as its address says`() async throws {
    let names = (0..<500).map { "job-\($0)" }
    let site = try TestSite(daemon: Self.daemon(names))
    let own = WebPeer.local(user: geteuid())
    for count in PageSizes.counts {
      let answer = await site.answer("GET", "/?rows=\(count)", peer: own)
      #expect(answer.status == 200)
      #expect(answer.text.ranges(of: "<tr data-job=").count == count)
    }
  }

  @Test(arguments: [100, 101])
  func `the overview offers another page only if more jobs follow`(count: Int) async throws {
    let site = try TestSite(daemon: Self.daemon((0..<count).map { "job-\($0)" }))
    let page = await site.answer("GET", "/", peer: WebPeer.local(user: geteuid())).text
    #expect(page.ranges(of: "<tr data-job=").count == 100)
    #expect(page.contains("rel=\"next\"") == (count > 100))
  }

  @Test(arguments: [50, 51], ["/items", "/items?job=news"])
  func `the items offer another page only if more items follow`(
    count: Int, address: String
  ) async throws {
    let site = try TestSite()
    try await StoredRuns.add(
      1, to: site.store, items: (0..<count).map { (id: "i\($0)", title: "Title") })
    let own = WebPeer.local(user: geteuid())
    let page = await site.answer("GET", address, peer: own).text
    #expect(page.contains(">50 items<"))
    #expect(page.contains("rel=\"next\"") == (count > 50))
    let joint = address.contains("?") ? "&" : "?"
    let last = await site.answer("GET", "\(address)\(joint)before=51", peer: own).text
    #expect(last.contains(">50 items<") && !last.contains("rel=\"next\""))
  }

  @Test(arguments: [(nil, "pause"), ("2026-11-20T10:00:00Z", "resume")] as [(String?, String)])
  func `a job can be resumed only if the job itself is paused`(
    since: String?, action: String
  ) async throws {
    let site = try TestSite { (request, line) async throws(ControlError) in
      if case .status = request {
        line(["job": "a", "state": "paused", "why": "", "pausedAt": .text(since)])
      }
      return .done
    }
    let own = WebPeer.local(user: geteuid())
    let page = await site.answer("GET", "/jobs/a", peer: own).text
    for word in ["pause", "resume"] {
      #expect(page.contains("action=\"/jobs/a/\(word)\"") == (word == action))
    }
    // A run of a paused job cannot be requested, even if only all jobs are paused together.
    #expect(!page.contains("action=\"/jobs/a/run\""))
  }

  @Test(
    arguments: [
      ("backOff", nil, "run"), ("paused", "2026-11-20T10:00:00Z", "resume"), ("paused", nil, nil),
    ] as [(String, String?, String?)])
  func `a failing job has the button that may help`(
    state: String, since: String?, action: String?
  ) async throws {
    let site = try TestSite { (request, line) async throws(ControlError) in
      switch request {
      case .overview:
        var overview = OverviewLine(isServed: true)
        overview.jobs = [.scheduled: 1]
        line(overview.value)
      case .status:
        line(["job": "a", "state": .string(state), "why": "", "pausedAt": .text(since)])
      default: break
      }
      return .done
    }
    let own = WebPeer.local(user: geteuid())
    let page = await site.answer("GET", "/", peer: own).text
    #expect(page.contains("aria-label=\"Explain: a\""))
    for word in ["run", "resume"] {
      #expect(page.contains("action=\"/jobs/a/\(word)\"") == (word == action))
    }
  }

  @Test func `a job that only the store has has a page, to which its runs link`() async throws {
    let site = try TestSite { (request, _) async throws(ControlError) in
      switch request {
      case .status(let job?, _): return .unknownJob(job, among: [])
      default: return .done
      }
    }
    try await StoredRuns.add(1, to: site.store, items: [(id: "i", title: "A title")])
    let own = WebPeer.local(user: geteuid())
    let runs = await site.answer("GET", "/runs", peer: own).text
    #expect(runs.contains("href=\"/jobs/news\""))
    let page = await site.answer("GET", "/jobs/news", peer: own)
    #expect(page.status == 200)
    #expect(page.text.contains("A title") && page.text.contains("not in the config"))
    #expect(!page.text.contains("action=\"/jobs/news/") && !page.text.contains("/permissions"))
    #expect(await site.answer("GET", "/jobs/other", peer: own).status == 404)
    // The page of the run offers no further run.
    let run = RunID(startedAt: StoredRuns.start, random: (1, 1))
    let shown = await site.answer("GET", "/runs/\(run)", peer: own)
    #expect(shown.status == 200)
    #expect(!shown.text.contains("action=\"/jobs/news/run\""))
  }

  @Test func `the button that logs out does not return to its page`() async throws {
    let site = try TestSite()
    let page = await site.answer("GET", "/about", peer: WebPeer.local(user: geteuid())).text
    let start = try #require(page.firstRange(of: "action=\"/logout\"")).upperBound
    let end = try #require(page[start...].firstRange(of: "</form>")).lowerBound
    #expect(page[start..<end].contains("name=\"form\""))
    #expect(!page[start..<end].contains("name=\"back\""))
  }

  @Test func `a version that is older than the listed versions shows its own fields`()
    async throws
  {
    let site = try TestSite()
    for number in 1...(PageMark.countMax + 1) {
      try await StoredRuns.add(number, to: site.store, items: [("a", "Title \(number)")])
    }
    let own = WebPeer.local(user: geteuid())
    #expect(await site.answer("GET", "/items/1", peer: own).text.contains("<h1>Title 1</h1>"))
    let listed = await site.answer("GET", "/items/2", peer: own).text
    #expect(listed.contains("<h1>Title 2</h1>"))
    #expect(listed.contains("version 1 of 1000"))
  }
}
