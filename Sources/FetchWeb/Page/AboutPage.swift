package import FetchEngine

/// The page with the version, the state of the installation, and the keyboard shortcuts.
package struct AboutPage: Sendable {
  package var version: String
  /// The checks of `/healthz`.
  package var checks: [HealthReport.Check] = []
  /// The daemon's findings about this machine; empty if no daemon answers in time, and for a reader
  /// who may not see all jobs.
  package var findings: [Finding] = []
  /// The path of the store; nil for a reader who may not see all jobs.
  package var store: String?

  package init(version: String) { self.version = version }

  private static let keys: [(keys: [HTML], action: HTML)] = [
    (["g", "o"], "overview"), (["g", "i"], "items"), (["g", "r"], "runs"), (["g", "b"], "budget"),
    (["g", "d"], "deliveries"), (["g", "t"], "transfers"), (["j", "k"], "next and previous row"),
    (["o"], "open the row"), (["v"], "open the original of an item"),
    (["[", "]"], "older and newer version of an item"),
    (["m"], "mark the selected item and older items as seen"),
    (["R"], "run the job of the selected row or of this page"),
    (["p"], "pause or resume the job of the selected row or of this page"),
    (["/"], "find a job"),
    (["?"], "this page"),
  ]

  /// Returns the page as HTML.
  package func html(_ frame: PageFrame) -> HTML {
    let content: HTML = """
      <div class="heading"><h1>fetchrun \(version)</h1>\
      <p class="facts">\(frame.viewer.grants ? tokens : "")\
      <a href="/api/v1/openapi.json">interface for programs</a></p>\
      \(frame.action(
        "Log out", LocalAddress("logout"), about: frame.viewer.name, returns: false))</div>
      <div class="halves">\(health)\(keyList)</div>
      """
    return frame.page(title: "About", section: nil, content)
  }

  private var tokens: HTML { "<a href=\"/tokens\">tokens</a> · " }

  private var health: HTML {
    let rows =
      checks.map { row($0.name, $0.status, $0.detail ?? "good") }
      + findings.map { row($0.subject, $0.grade.status, $0.message) }
    let place: HTML = store.map { "<p class=\"facts\">Store: <code>\($0)</code></p>" } ?? ""
    return """
      <section aria-labelledby="health"><h2 id="health">Health</h2>\
      <ul class="plain panel checks">\(each: rows, { $0 })</ul>\(place)\
      <p class="facts">In a terminal, this command also checks the store for damage, and \
      the plugin folders:</p>\
      <pre>fetchrun doctor</pre></section>
      """
  }

  private func row(_ name: String, _ status: HealthReport.Status, _ detail: String) -> HTML {
    """
    <li class="\(status.rawValue)"><span class="state \(status.rawValue)">\
    \(name)</span> <span class="why">\(detail)</span></li>
    """
  }

  private var keyList: HTML {
    let rows = Self.keys.map { row -> HTML in
      "<dt>\(each: row.keys, { "<kbd>\($0)</kbd>" })</dt><dd>\(row.action)</dd>"
    }
    return """
      <section aria-labelledby="keys"><h2 id="keys">Keys</h2><div class="panel">\
      <p><label class="switch"><input type="checkbox" id="keys-on" checked> \
      keys are on in this browser</label></p>\
      <dl class="keys">\(each: rows, { $0 })</dl></div></section>
      """
  }
}

extension Finding.Grade {
  fileprivate var status: HealthReport.Status {
    switch self {
    case .good: .ok
    case .weak: .degraded
    case .bad: .down
    }
  }
}
