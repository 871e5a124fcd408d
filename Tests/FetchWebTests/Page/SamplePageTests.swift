import FetchTestSupport
import FetchValues
import FetchWeb
import Testing

/// Tests of views with sample content in a real browser. The content is empty, usual, or has 10,000
/// jobs.
@Suite(.serialized, .enabled(if: WebDriver.isInstalled), .timeLimit(.minutes(10)))
struct SamplePageTests {
  @Test(arguments: SamplePages.Size.allCases)
  func `each view is accessible in each look, fits its window and breaks no policy`(
    size: SamplePages.Size
  ) async throws {
    let server = try await SampleServer()
    let checker = AccessibilityChecker()
    let browser = try WebDriver()
    // The other views of 10,000 jobs differ from the usual views only in the number of rows.
    let names = size == .large ? ["overview", "items", "runs"] : SamplePages().all.map(\.name)
    for name in names {
      try browser.open("\(server.address)/sample/\(size.rawValue)/\(name)")
      let faults = try browser.faultsInEachLook(checker)
      #expect(faults == [], "\(name), \(size.rawValue)")
    }
    await server.stop()
  }

  @Test func `a fault of one look is found`() throws {
    let browser = try WebDriver()
    let style = """
      @media (max-width: 330px) { p { width: 700px } }
      @media (prefers-color-scheme: dark) { p { color: rgb(20, 20, 20); background: black } }
      """
    let page = """
      <html lang=en><title>a</title><meta name=viewport content='width=device-width'>
      <style>\(style)</style><main><h1>a</h1><p>some words</main>
      """
    try browser.open("data:text/html,\(page)")
    let checker = AccessibilityChecker()
    let dark = ["390 pixels, dark: color-contrast: p", "1280 pixels, dark: color-contrast: p"]
    let faults = try browser.faultsInEachLook(checker)
    #expect(faults == ["320 pixels: scrolls sideways"] + (checker == nil ? [] : dark))
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
