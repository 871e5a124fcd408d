import FetchTestSupport
import FetchValues
import Testing

/// Tests of the hostile texts of `HostilePageTests` in a real browser. No text runs code, and the
/// page has the same number of elements as with harmless content.
@Suite(.serialized, .enabled(if: WebDriver.isInstalled), .timeLimit(.minutes(15)))
struct HostileBrowserTests {
  /// A script that runs before each page, and notes policy violations, errors and calls of dialogs.
  private static let watching = """
    window.faults = [];
    addEventListener('securitypolicyviolation', e => faults.push('policy: ' + e.violatedDirective));
    addEventListener('error', e => faults.push('error: ' + (e.message || e.target.tagName)), true);
    for (const name of ['alert', 'confirm', 'prompt', 'print', 'open'])
      window[name] = () => { faults.push(name); };
    """

  private struct Seen: Equatable {
    var faults: Value
    var elementCount: Value
    var foreignCount: Value
  }

  private func seen(_ browser: WebDriver, _ address: String) throws -> Seen {
    try browser.open(address)
    return Seen(
      faults: try browser.run("return faults"),
      elementCount: try browser.run("return document.querySelectorAll('*').length"),
      foreignCount: try browser.run(
        """
        return document.querySelectorAll('script:not([src^="/assets/script-"]), img, iframe, object, '
          + 'embed, base, style, link:not([href^="/assets/"]):not([href^="/feeds/"]), [style], [onerror], [onload]').length
        """))
  }

  @Test func `no text in any field runs anything or adds an element`() async throws {
    let server = try await SampleServer()
    let browser = try WebDriver()
    try browser.command(
      "Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.watching)])
    let plain = try seen(browser, server.address + "/harmless/text")
    let linked = try seen(browser, server.address + "/harmless/link")
    #expect(plain.faults == [] && plain.foreignCount == 0)
    #expect(plain.elementCount != linked.elementCount)
    #expect(HostileTexts.all.count >= 200)
    for (number, payload) in HostileTexts.all.enumerated() {
      let found = try seen(browser, "\(server.address)/hostile/\(number)")
      let expected = HostilePageTests.isLink(payload) ? linked : plain
      #expect(found == expected, "\(payload.prefix(60).debugDescription)")
    }
    #expect(try browser.messages() == [])
    await server.stop()
  }

  @Test func `the test would see markup that was not escaped`() async throws {
    let server = try await SampleServer()
    let browser = try WebDriver()
    try browser.command(
      "Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.watching)])
    let plain = try seen(browser, server.address + "/harmless/text")
    let refused = try seen(browser, server.address + "/broken/closed")
    #expect(refused.faults == ["policy: script-src-elem"])
    #expect(refused.elementCount != plain.elementCount && refused.foreignCount == 1)
    let ran = try seen(browser, server.address + "/broken/open")
    #expect(ran.faults == ["alert"])
    await server.stop()
  }
}
