import FetchEngine
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
        let chosen = names.filter { !filter.isFailing || $0.hasSuffix("-bad") }
        for name in chosen.prefix(filter.limit ?? .max) {
          line(["job": .string(name), "state": "scheduled", "why": ""])
        }
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
