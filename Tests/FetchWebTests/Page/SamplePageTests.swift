import FetchTestSupport
import FetchValues
import FetchWeb
import Testing

/// Tests of views with sample content in a real browser. The content is empty, usual, or has 10,000
/// jobs.
@Suite(.serialized, .enabled(if: WebDriver.isInstalled), .timeLimit(.minutes(10)))
struct SamplePageTests {
  @Test(arguments: [(1280, false), (390, false), (320, false), (1280, true), (390, true)])
  func `each view of each size is accessible, fits its window and breaks no policy`(
    width: Int, isDark: Bool
  ) async throws {
    let server = try await SampleServer()
    let checker = AccessibilityChecker()
    let browser = try WebDriver(width: width, isDark: isDark)
    let names = SamplePages().all.map(\.name)
    for size in SamplePages.Size.allCases {
      // The other views of 10,000 jobs differ from the usual views only in the number of rows.
      for name in size == .large ? ["overview", "items", "runs"] : names {
        try browser.open("\(server.address)/sample/\(size.rawValue)/\(name)")
        let faults = try browser.faults()
        #expect(faults == [], "\(name), \(size.rawValue), \(width)")
        guard let checker else { continue }
        let violations = try checker.violations(in: browser)
        #expect(violations == [], "\(name), \(size.rawValue), \(width), dark: \(isDark)")
      }
    }
    await server.stop()
  }

  @Test func `a page in print has no buttons and no dark colours`() async throws {
    let server = try await SampleServer()
    let browser = try WebDriver(isDark: true)
    try browser.command("Emulation.setEmulatedMedia", ["media": "print"])
    try browser.open("\(server.address)/sample/usual/overview")
    let shown = try browser.run(
      """
      const seen = q => Array.from(document.querySelectorAll(q)).filter(e => e.offsetHeight > 0);
      return [seen('button, .button, nav, form, footer').length, seen('.jobs tbody tr').length,
        getComputedStyle(document.body).backgroundColor];
      """)
    #expect(shown == [0, 16, "rgb(255, 255, 255)"])
    await server.stop()
  }

  @Test func `nothing moves for a reader who prefers less motion`() async throws {
    let server = try await SampleServer()
    let browser = try WebDriver()
    for (choice, isMoving) in [("reduce", false), ("no-preference", true)] {
      try browser.command(
        "Emulation.setEmulatedMedia",
        ["features": [["name": "prefers-reduced-motion", "value": .string(choice)]]])
      try browser.open("\(server.address)/sample/usual/overview")
      let moving = try browser.run(
        """
        return Array.from(document.querySelectorAll('*')).some(e => {
          const s = getComputedStyle(e);
          return s.transitionDuration.split(', ').some(d => d !== '0s') || s.animationName !== 'none';
        });
        """)
      #expect(moving == .bool(isMoving), "\(choice)")
    }
    await server.stop()
  }

  @Test func `the script and the style sheet keep their sizes, and the frame its files`() {
    #expect(Assets.script.bytes.count <= 10 << 10)
    #expect(Assets.style.bytes.count <= 24 << 10)
    let large = SamplePages(size: .large).overview.html(SamplePages().frame(LocalAddress()))
    #expect(large.bytes.count <= 120_000, "\(large.bytes.count) bytes")
  }
}
