import FetchValues
import Foundation

/// The script axe-core, which checks the rules of WCAG in a browser. The script is not part of the
/// project. `Tests/run` takes it from the Python package axe-playwright-python.
package struct AccessibilityChecker: Sendable {
  private let script: String

  /// Reads the script. Returns nil if the script cannot be read.
  package init?() {
    let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = top.appending(path: ".build/python/lib/axe.min.js")
    guard let script = try? String(contentsOf: file, encoding: .utf8) else { return nil }
    self.script = script
  }

  /// Returns the broken rules, each with its elements.
  fileprivate func violations(in browser: WebDriver, _ look: PageLook) throws -> [String] {
    if try browser.run("return typeof axe") == "undefined" {
      // The page's content security policy does not apply to the driver's scripts.
      _ = try browser.run(script)
    }
    // Dark colours change no element and no size, so the rules about these were checked before.
    let rules =
      look.isDark
      ? "['color-contrast']"
      : "['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']"
    let found = try browser.runAsync(
      """
      const done = arguments[arguments.length - 1];
      axe.run(document, {runOnly: \(rules)})
        .then(r => done(r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.target).join(' '))))
        .catch(e => done([String(e)]));
      """)
    return found.arrayValue?.compactMap(\.stringValue) ?? ["no answer"]
  }
}

extension WebDriver {
  /// Returns the faults of the present page in each look of `PageLook.all`, and the rules of the
  /// checker that the page breaks. Calls `shown` after the check of each look.
  package func faultsInEachLook(
    _ checker: AccessibilityChecker?, shown: (PageLook) throws -> Void = { _ in }
  ) throws -> [String] {
    var faults: [String] = []
    for look in PageLook.all {
      try show(look)
      let found = try self.faults() + (checker?.violations(in: self, look) ?? [])
      faults += found.map { "\(look.width) pixels\(look.isDark ? ", dark" : ""): \($0)" }
      try shown(look)
    }
    return faults
  }

  /// Returns the faults of the page in the browser: sideways scrolling, messages of the console,
  /// requests to other origins, wrong headings and small targets.
  package func faults() throws -> [String] {
    var faults = try messages()
    let found = try run(
      """
      const root = document.documentElement, faults = [];
      if (root.scrollWidth > root.clientWidth) faults.push('scrolls sideways');
      for (const entry of performance.getEntriesByType('resource'))
        if (!entry.name.startsWith(location.origin + '/')) faults.push('loads ' + entry.name);
      if (document.querySelectorAll('h1').length !== 1) faults.push('has not one h1');
      let level = 1;
      for (const h of document.querySelectorAll('h1, h2, h3, h4')) {
        const now = Number(h.tagName.slice(1));
        if (now > level + 1) faults.push('skips a level of headings');
        level = now;
      }
      for (const e of document.querySelectorAll('a, button, input, summary')) {
        if (e.type === 'hidden') continue;
        const box = e.getBoundingClientRect();
        // Links within sentences have no size of their own (WCAG 2.2, 2.5.8).
        const inLine = e.tagName === 'A' && getComputedStyle(e).display === 'inline';
        const isShown = box.width > 1 && box.height > 1;
        if (isShown && !inLine && (box.height < 24 || box.width < 16) && !e.closest('label'))
          faults.push('has a small target: ' + e.outerHTML.slice(0, 80));
      }
      return faults;
      """)
    faults += found.arrayValue?.compactMap(\.stringValue) ?? ["no answer"]
    return faults
  }
}
