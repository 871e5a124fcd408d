import FetchTestSupport
import FetchValues
import Testing

/// The script's use of the server's events, in a real browser.
@Suite(.serialized, .enabled(if: WebDriver.isInstalled), .timeLimit(.minutes(2)))
struct LivePageTests {
  private static let run = """
    {"job":"JOB","outcome":"OUTCOME","startedAt":"2026-11-24T11:01:30Z",\
    "nextDueAt":"2026-11-24T12:34:00Z"}
    """
  private static let state = """
    {"job":"kernel","state":"backOff","failures":1,"isHeld":false,"nextDueAt":null}
    """

  /// A stream that a browser follows once: it would come back only after an hour.
  private static func stream() -> String {
    let runs = [("swift", "newData"), ("kernel", "failed"), ("no <such> job", "newData")]
      .enumerated().map { index, run in
        let data = Self.run.replacing("JOB", with: run.0).replacing("OUTCOME", with: run.1)
        return "event: run\nid: 1-\(index)\ndata: \(data)\n\n"
      }
    return "retry: 3600000\n\n" + runs.joined() + "event: state\ndata: \(state)\n\n"
      + "event: run\ndata: not JSON\n\n"
      + "event: item\nid: 2-9\ndata: {\"job\":\"swift\",\"title\":\"<b>x</b>\"}\n\n"
  }

  private func waits(_ browser: WebDriver, _ condition: String) throws -> Bool {
    let end = ContinuousClock.now + .seconds(20)
    while .now < end { if try browser.run("return \(condition)") == true { return true } }
    return false
  }

  @Test func `a row, the heading and the badge follow the events`() async throws {
    let server = try await SampleServer(events: Self.stream())
    let browser = try WebDriver()
    try browser.open(server.address + "/sample/usual/overview")
    #expect(
      try waits(
        browser,
        "document.querySelector('tr[data-job=swift] td.number').textContent === '4/15'"))
    #expect(
      try waits(browser, "document.querySelector('tr[data-job=kernel] .state.backOff') !== null"))
    #expect(try browser.text("h1") == "4 of 16 jobs need you")
    #expect(try browser.title() == "4 of 16 jobs need you · fetchrun")
    #expect(try browser.text("nav .fresh") == "+1")
    #expect(
      try browser.run(
        """
        return document.querySelector('tr[data-job=kernel] path.failed').getAttribute('d')
        """) == "M360 2v13")
    #expect(
      try browser.run(
        "return document.querySelector('tr[data-job=swift] td.next time').getAttribute('datetime')")
        == "2026-11-24T12:34:00Z")
    #expect(try browser.messages() == [])
    await server.stop()
  }

  @Test func `a row with the focus does not change until the focus leaves it`() async throws {
    let server = try await SampleServer(events: Self.stream())
    let browser = try WebDriver()
    // The focus is set before the first change, which comes a second after the event.
    try browser.command(
      "Page.addScriptToEvaluateOnNewDocument",
      [
        "source": """
        addEventListener('DOMContentLoaded', () => document.querySelector('tr[data-job=swift] a').focus());
        """
      ])
    try browser.open(server.address + "/sample/usual/overview")
    #expect(
      try waits(browser, "document.querySelector('tr[data-job=kernel] .state.backOff') !== null"))
    let count = "document.querySelector('tr[data-job=swift] td.number').textContent"
    #expect(try browser.run("return " + count) == "3/14")
    _ = try browser.run("document.activeElement.blur()")
    #expect(try waits(browser, count + " === '4/15'"))
    await server.stop()
  }

  @Test func `new items wait behind a button, so that nothing moves by itself`() async throws {
    let server = try await SampleServer(events: Self.stream())
    let browser = try WebDriver()
    try browser.open(server.address + "/sample/usual/items")
    #expect(try waits(browser, "document.querySelector('.heading .fresh') !== null"))
    #expect(try browser.text(".heading .fresh") == "1 new")
    let first = try browser.text(".items .title")
    try browser.follow(".heading .fresh")
    #expect(try browser.text(".items .title") == first)
    await server.stop()
  }
}
