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

  /// A script that returns the elements of a page, with the names of their attributes, and with a
  /// mark for each address that is not one of the web. Reading the page takes a tenth of the time of
  /// showing it.
  private static func outline(_ path: String) -> String {
    """
    const isWeb = text => {
      try { return /^https?:$/.test(new URL(text, location).protocol); } catch { return true; }
    };
    const show = ({name, value}) =>
      name + (/^(href|src|action|formaction)$/.test(name) && !isWeb(value) ? ' (not of the web)' : '');
    return fetch('\(path)').then(answer => answer.text()).then(text => {
      const page = new DOMParser().parseFromString(text, 'text/html');
      return [...page.querySelectorAll('*')]
        .map(e => [e.localName, ...[...e.attributes].map(show)].join(' ')).join(', ');
    });
    """
  }

  @Test func `no text in any field adds an element, an attribute or an address`() async throws {
    let server = try await SampleServer()
    let browser = try WebDriver()
    // The policy forbids scripts to read text as HTML.
    try browser.command("Page.setBypassCSP", ["enabled": true])
    try browser.open(server.address + "/harmless/text")
    let plain = try browser.run(Self.outline("/harmless/text"))
    let linked = try browser.run(Self.outline("/harmless/link"))
    #expect(plain != linked && plain.stringValue?.contains("main") == true)
    #expect(try browser.run(Self.outline("/broken/open")) != plain)
    let address = try browser.run(Self.outline("/broken/address")).stringValue
    #expect(address?.hasSuffix("a href (not of the web)") == true)
    #expect(plain.stringValue?.contains("not of the web") == false)
    #expect(HostileTexts.all.count >= 200)
    for (number, payload) in HostileTexts.all.enumerated() {
      let found = try browser.run(Self.outline("/hostile/\(number)"))
      let expected = HostilePageTests.isLink(payload) ? linked : plain
      #expect(found == expected, "\(payload.prefix(60).debugDescription)")
    }
    await server.stop()
  }

  /// Shows every seventh text, because the browser needs most of a second for each page.
  @Test func `no text in any field runs anything`() async throws {
    let server = try await SampleServer()
    let browser = try WebDriver()
    try browser.command(
      "Page.addScriptToEvaluateOnNewDocument", ["source": .string(Self.watching)])
    let plain = try seen(browser, server.address + "/harmless/text")
    let linked = try seen(browser, server.address + "/harmless/link")
    #expect(plain.faults == [] && plain.foreignCount == 0)
    #expect(plain.elementCount != linked.elementCount)
    for number in stride(from: 0, to: HostileTexts.all.count, by: 7) {
      let payload = HostileTexts.all[number]
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
