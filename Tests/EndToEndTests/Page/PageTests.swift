import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// The page in a real browser. The tests are skipped without Debian's chromium and chromium-driver,
/// which `Sources/Packaging/need test` installs.
@Suite(.serialized, .enabled(if: WebDriver.isInstalled), .timeLimit(.minutes(5)))
struct PageTests {
  private static let views = [
    "/", "/?show=failing", "/jobs/alpha", "/jobs/broken", "/items", "/items/1", "/runs", "/budget",
    "/deliveries", "/transfers", "/tokens", "/about",
  ]

  @Test(arguments: [(1280, false), (390, false), (1280, true), (390, true)])
  func `each view is accessible, fits its window and breaks no policy`(
    width: Int, isDark: Bool
  ) throws {
    let site = try PageSite()
    defer { site.end() }
    let browser = try WebDriver(width: width, isDark: isDark)
    try site.logIn(browser)
    let axe = Self.axe
    for view in Self.views {
      try browser.open(site.address + view)
      let overflow = try browser.run(
        "return document.documentElement.scrollWidth - document.documentElement.clientWidth")
      #expect(overflow == 0, "\(view) at \(width) scrolls sideways")
      #expect(try browser.messages() == [], "\(view)")
      let outside = try browser.run(
        """
        return performance.getEntriesByType('resource').map(e => e.name)
          .filter(name => !name.startsWith(location.origin + '/'))
        """)
      #expect(outside == [], "\(view)")
      #expect(try browser.run("return document.querySelectorAll('h1').length") == 1, "\(view)")
      if let axe {
        let violations = try Self.violations(axe, browser)
        #expect(violations == [], "\(view) at \(width)")
      }
      try Self.keep(browser, view, width, isDark)
    }
  }

  @Test(arguments: [true, false])
  func `a person logs in, finds what failed, runs it and pauses it, with and without script`(
    runsScripts: Bool
  ) throws {
    let site = try PageSite()
    defer { site.end() }
    let browser = try WebDriver(runsScripts: runsScripts)
    try browser.open(site.address + "/")
    #expect(try browser.text("h1") == "Log in")
    try site.logIn(browser)
    #expect(try browser.text("h1") == "1 of 3 jobs needs you")
    #expect(try browser.title() == "1 of 3 jobs needs you · fetchrun")
    #expect(try browser.text(".attention .why").contains("always broken"))
    try browser.follow(".attention .who a")
    #expect(try browser.text("h1") == "broken")
    try browser.follow("form[action='/jobs/broken/run'] button")
    #expect(try browser.text(".notice").hasPrefix("The job was started"))
    try browser.follow("form[action='/jobs/broken/pause'] button")
    #expect(try browser.text(".notice") == "The job is paused.")
    #expect(try browser.text(".state") == "paused")
    try browser.follow("form[action='/jobs/broken/resume'] button")
    #expect(try browser.text(".notice") == "The job is resumed.")
    try browser.open(site.address + "/items")
    try browser.follow("form[action='/items/seen'] button")
    #expect(try browser.text(".heading .facts") == "Nothing new since you looked.")
    try browser.follow(".items .title")
    #expect(try browser.text("h1").contains("<b>Title</b>"))
    try browser.open(site.address + "/")
    try browser.follow("form[action='/pause'] button")
    #expect(try browser.text(".notice") == "All jobs are paused.")
    try browser.follow("form[action='/resume'] button")
    try browser.open(site.address + "/about")
    try browser.follow("form[action='/logout'] button")
    #expect(try browser.text("h1") == "Log in")
  }

  @Test func `the keys lead through the page`() throws {
    let site = try PageSite()
    defer { site.end() }
    let browser = try WebDriver()
    try site.logIn(browser)
    for (keys, title) in [
      ("gi", "Items"), ("gr", "Runs"), ("gb", "Budget"), ("gd", "Deliveries"), ("gt", "Transfers"),
      ("?", "About"), ("go", "1 of 3 jobs needs you"),
    ] {
      try browser.type(keys)
      #expect(try site.waits(for: browser, title: title + " · fetchrun"), "\(keys)")
    }
    try browser.type("jo")
    #expect(try site.waits(for: browser, title: "alpha · fetchrun"))
    try browser.type("gi")
    #expect(try site.waits(for: browser, title: "Items · fetchrun"))
    try browser.type("/")
    #expect(
      try browser.run("return document.activeElement.getAttribute('name')") == "match")
  }

  @Test func `content of sources runs nothing in the browser`() throws {
    let site = try PageSite()
    defer { site.end() }
    let browser = try WebDriver()
    try site.logIn(browser)
    for view in ["/items", "/items/1", "/items/2", "/items/3", "/jobs/alpha", "/runs"] {
      try browser.open(site.address + view)
      #expect(try browser.run("return window.attacked === undefined") == true, "\(view)")
      #expect(
        try browser.run("return document.querySelectorAll('main script, main img').length") == 0)
      #expect(try browser.messages() == [], "\(view)")
    }
  }

  // MARK: axe

  /// The script axe-core, which checks the rules of WCAG. It is not part of the project: `Tests/run`
  /// takes it from the Python package axe-playwright-python. Nil without it.
  private static let axe = try? String(
    contentsOf: Program.top.appending(path: ".build/python/lib/axe.min.js"), encoding: .utf8)

  private static func violations(_ axe: String, _ browser: WebDriver) throws -> [String] {
    // The driver's scripts run outside the policy of the page.
    _ = try browser.run(axe)
    let found = try browser.runAsync(
      """
      const done = arguments[arguments.length - 1];
      axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']})
        .then(r => done(r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.target).join(' '))))
        .catch(e => done([String(e)]));
      """)
    return found.arrayValue?.compactMap(\.stringValue) ?? ["no answer"]
  }

  /// Keeps a picture of each view in the folder that FETCHRUN_SHOTS names, for people to look at.
  private static func keep(
    _ browser: WebDriver, _ view: String, _ width: Int, _ isDark: Bool
  ) throws {
    guard let folder = ProcessInfo.processInfo.environment["FETCHRUN_SHOTS"] else { return }
    let name = view.map { $0.isLetter || $0.isNumber ? $0 : "-" }
    let file = "\(folder)/view\(String(name))-\(width)-\(isDark ? "dark" : "light").png"
    try browser.screenshot().write(to: URL(filePath: file))
  }
}
