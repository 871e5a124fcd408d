package import FetchValues

/// The person who looks at a page, with the person's rights.
package struct Viewer: Sendable {
  /// The text with which the page describes the person, for example the name of a token. The text
  /// is empty on an error page.
  package var name: String
  /// Whether the person may run and pause jobs, and change deliveries and transfers (scope `act`).
  package var acts: Bool
  /// Whether the person may approve permissions (scope `grant`).
  package var grants: Bool
  /// The token that the person's forms send, so that other sites cannot forge these forms; empty if
  /// the person has no token.
  package var formToken: String

  package init(name: String, acts: Bool, grants: Bool, formToken: String) {
    self.name = name
    self.acts = acts
    self.grants = grants
    self.formToken = formToken
  }
}

/// The parts that a page shows around its content.
package struct PageFrame: Sendable {
  /// The sections that the navigation lists, in this order.
  package enum Section: String, Sendable, CaseIterable {
    case overview, items, runs, budget, deliveries, transfers
  }

  package var now: Timestamp
  package var viewer: Viewer
  /// The address of the page. The forms of actions send this address.
  package var address: LocalAddress
  /// The number of added, updated and removed items after the last item that the viewer marked as
  /// seen. At most 100 changes are read, and only changes that the viewer may see are counted. Nil
  /// if there is no such mark, or if the mark or the store cannot be read.
  package var unseenCount: Int?
  /// The number of deliveries that were given up. The number is 0 for a viewer who may not see all
  /// jobs, or if the store cannot be read.
  package var deadCount: Int
  /// A sentence about the result of a form; nil if the page's address names no result.
  package var notice: String?
  /// The address of a feed for the page's `link` element; nil if the page has none.
  package var feed: LocalAddress?

  package init(now: Timestamp, viewer: Viewer, address: LocalAddress) {
    self.now = now
    self.viewer = viewer
    self.address = address
    deadCount = 0
  }
}

extension PageFrame {
  /// Returns a whole page.
  ///
  /// - Parameters:
  ///   - title: the text of the browser's tab, before the name of the program.
  ///   - section: the section that the navigation marks; nil for a page outside all sections.
  package func page(title: String, section: Section?, _ content: HTML) -> HTML {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(title) · fetchrun</title>
    <link rel="icon" href="\(Assets.icon.address)" type="image/svg+xml">
    <link rel="stylesheet" href="\(Assets.style.address)">\(feedLink)
    <script src="\(Assets.script.address)" defer></script>
    </head>
    <body>
    <a class="skip" href="#main">Skip to the content</a>
    <header class="bar">
    <a class="brand" href="/">\(Assets.mark)fetchrun</a>
    <nav aria-label="Sections">\(each: Section.allCases, { link($0, current: section) })</nav>
    <form class="find" role="search" action="/" method="get">
    <input type="search" name="match" placeholder="Find a job" aria-label="Find a job" \
    autocomplete="off" maxlength="200">
    </form>
    <a class="help" href="/about" aria-label="About, keys and help">?</a>
    </header>
    <main id="main" tabindex="-1">
    \(noticeLine)
    \(content)
    </main>
    \(footer)
    </body>
    </html>

    """
  }

  private var feedLink: HTML {
    feed.map { address -> HTML in
      """

      <link rel="alternate" type="application/atom+xml" href="\(address)">
      """
    } ?? ""
  }

  /// The footer with the viewer's name and the present time; empty on an error page.
  private var footer: HTML {
    if viewer.name.isEmpty { return "" }
    return """
      <footer><span>\(viewer.name)</span><span><span id="zone">Times are in UTC; it is</span> \
      \(time: now, now: now)</span></footer>
      """
  }

  private var noticeLine: HTML {
    notice.map { "<p class=\"notice\" role=\"status\">\($0)</p>" } ?? ""
  }

  private func link(_ section: Section, current: Section?) -> HTML {
    let isCurrent = section == current
    let count: HTML =
      switch section {
      case .items: badge(unseenCount ?? 0, "new")
      case .deliveries: badge(deadCount, "given up")
      default: ""
      }
    let address = section == .overview ? LocalAddress() : LocalAddress(section.rawValue)
    let name = section.rawValue.prefix(1).uppercased() + section.rawValue.dropFirst()
    let mark: HTML = isCurrent ? " aria-current=\"page\"" : ""
    return "<a href=\"\(address)\"\(mark)>\(name)\(count)</a>"
  }

  private func badge(_ count: Int, _ words: String) -> HTML {
    if count == 0 { return "" }
    let text = count > 99 ? "99+" : "\(count)"
    return """
       <b class="count" title="\(count) \(words)">\(text)<span class="unseen"> \(words)</span></b>
      """
  }
}
