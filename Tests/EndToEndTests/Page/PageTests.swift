import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the page in a real browser. The tests are skipped without chromedriver, from Debian's
/// package chromium-driver, which `Sources/Packaging/need test` installs.
@Suite(.serialized, .enabled(if: WebDriver.isInstalled), .timeLimit(.minutes(10)))
struct PageTests {
  private static let views: [PageSite.Content: [String]] = [
    .empty: [
      "/", "/items", "/runs", "/budget", "/deliveries", "/transfers", "/tokens", "/about",
      "/nothing",
    ],
    .usual: [
      "/", "/?show=failing", "/jobs/alpha", "/jobs/broken", "/jobs/held",
      "/jobs/held/permissions", "/items", "/items?job=alpha", "/items/1", "/runs",
      "/runs?outcome=failed", "/budget", "/deliveries", "/transfers", "/tokens", "/about",
    ],
    .many: ["/", "/?match=77", "/?rows=50&after=job-500", "/jobs/job-9999", "/budget"],
  ]

  @Test(arguments: [PageSite.Content.empty, .usual, .many])
  func `each view is accessible in each look, fits its window and breaks no policy`(
    content: PageSite.Content
  ) throws {
    let site = try PageSite(content)
    defer { site.end() }
    let checker = AccessibilityChecker()
    let browser = try WebDriver()
    try site.logIn(browser)
    for view in Self.views[content] ?? [] {
      try browser.open(site.address + view)
      let faults = try browser.faultsInEachLook(checker) { look in
        try Self.keep(browser, "\(content.rawValue)\(view)", look)
      }
      // The console also reports the status of a page that does not exist.
      #expect(faults.filter { !$0.contains("status of 404") } == [], "\(content.rawValue) \(view)")
    }
  }

  @Test func `an overview of 10,000 jobs has 100 rows, and the next page follows`() throws {
    let site = try PageSite(.many)
    defer { site.end() }
    let browser = try WebDriver()
    try site.logIn(browser)
    #expect(try browser.text("h1") == "None of the 10,000 jobs is failing")
    #expect(try browser.run("return document.querySelectorAll('.jobs tbody tr').length") == 100)
    let first = try browser.text(".jobs tbody tr:last-child .name")
    try browser.follow("a[rel=next]")
    #expect(try browser.run("return document.querySelectorAll('.jobs tbody tr').length") == 100)
    #expect(try browser.text(".jobs tbody tr:first-child .name") > first)
    try browser.follow(".sizes a")
    #expect(try browser.run("return document.querySelectorAll('.jobs tbody tr').length") == 50)
  }

  @Test func `content of sources runs nothing in the browser`() throws {
    let site = try PageSite()
    defer { site.end() }
    let browser = try WebDriver()
    try site.logIn(browser)
    for view in ["/items", "/items/2", "/items/3", "/items/4", "/jobs/alpha", "/runs"] {
      try browser.open(site.address + view)
      #expect(try browser.run("return window.attacked === undefined") == true, "\(view)")
      #expect(
        try browser.run("return document.querySelectorAll('main script, main img').length") == 0)
      #expect(try browser.messages() == [], "\(view)")
    }
  }

  /// Writes a picture of a view to the folder in FETCHRUN_SHOTS. Does nothing if this variable is
  /// not set.
  private static func keep(_ browser: WebDriver, _ view: String, _ look: PageLook) throws {
    guard let folder = ProcessInfo.processInfo.environment["FETCHRUN_SHOTS"] else { return }
    let name = view.map { $0.isLetter || $0.isNumber ? $0 : "-" }
    let colours = look.isDark ? "dark" : "light"
    let file = "\(folder)/\(String(name))-\(look.width)-\(colours).png"
    try browser.screenshot().write(to: URL(filePath: file))
  }
}
