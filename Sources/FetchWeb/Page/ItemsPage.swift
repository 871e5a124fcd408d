package import FetchModel
package import FetchValues

/// The page of the items of all jobs or of one job, newest first. A line separates the new items
/// from the items that the reader has marked as seen.
package struct ItemsPage: Sendable {
  /// One stored version of an item.
  package struct Row: Sendable {
    package var item: StoredItem
    /// The lines of the difference between an updated item and its previous version; nil if the
    /// page shows none.
    package var difference: String?

    package init(_ item: StoredItem, difference: String? = nil) {
      self.item = item
      self.difference = difference
    }
  }

  /// The job whose items are shown; nil for all jobs.
  package var job: String?
  package var rows: [Row]
  /// The sequence number of the last item that the reader marked as seen; 0 if none was marked.
  package var seenSequence: Int64 = 0
  /// The time when the reader last marked items as seen; nil if it is unknown.
  package var seenAt: Timestamp?
  package var next: LocalAddress?
  package var rowsMax = 50

  package init(job: String?, rows: [Row]) {
    self.job = job
    self.rows = rows
  }

  /// Returns the page as HTML.
  package func html(_ frame: PageFrame) -> HTML {
    let title = job.map { "Items of \($0)" } ?? "Items"
    let newCount = rows.count { isNew($0) }
    let facts: HTML =
      newCount == 0
      ? "No item on this page is new." : "\(counted(newCount, "new item")) on this page."
    let content: HTML = """
      <div class="heading"><h1>\(title)</h1><p class="facts">\(facts)</p>\
      \(markSeen(frame, newCount))</div>
      \(rows.isEmpty
        ? frame.empty(
          next == nil
            ? "There are no items to show."
            : "No item on this page belongs to a job that you may see.")
        : list(frame))
      \(rows.isEmpty && next == nil
        ? ""
        : frame.pager(next, shown: counted(rows.count, "item"), sizes: sizes))
      """
    return frame.page(title: title, section: .items, content)
  }

  private var sizes: PageSizes? {
    if next == nil && rows.count <= (PageSizes.counts.first ?? 0) { return nil }
    return PageSizes(current: rowsMax, base: LocalAddress("items").adding("job", job))
  }

  private func isNew(_ row: Row) -> Bool { row.item.sequence > seenSequence }

  /// Returns the form that marks items as seen; empty if no shown item is new. The buttons beside
  /// single items also send this form.
  private func markSeen(_ frame: PageFrame, _ newCount: Int) -> HTML {
    guard newCount > 0, let first = rows.map(\.item.sequence).max() else { return "" }
    return """
      <form class="action" id="seen" method="post" action="\(LocalAddress("items", "seen"))">\
      <input type="hidden" name="form" value="\(frame.viewer.formToken)">\
      <input type="hidden" name="back" value="\(frame.address.text)">\
      <button name="sequence" value="\(first)">Mark all as seen</button></form>
      """
  }

  private func list(_ frame: PageFrame) -> HTML {
    let split = rows.firstIndex { !isNew($0) }
    let at: HTML = seenAt.map { ": \(time: $0, now: frame.now)" } ?? ""
    let line: HTML = """
      <li class="here" id="here"><span>you marked the items below as seen\(at)</span></li>
      """
    let parts = rows.enumerated().map { index, row -> HTML in
      let isHere = index == split && index > 0
      return (isHere ? line : "") + item(row, frame)
    }
    return "<ol class=\"items\">\(each: parts, { $0 })</ol>"
  }

  private func item(_ row: Row, _ frame: PageFrame) -> HTML {
    let item = row.item
    let style: HTML = isNew(row) ? " class=\"new\"" : ""
    let page = LocalAddress("items", "\(item.sequence)")
    let source: HTML = job == nil ? frame.jobLink(item.job) + " · " : ""
    let original: HTML =
      item.url == nil ? "" : " · <span class=\"original\">\(link: item.url, "original")</span>"
    let title = item.shownTitle.firstCharacters(300)
    // The first item needs no button, because the button in the heading does the same.
    let seen: HTML =
      isNew(row) && item.sequence != rows.first?.item.sequence
      ? """
      <button form="seen" class="plain upto" name="sequence" value="\(item.sequence)" \
      aria-label="mark this and older items as seen: \(title)">\
      mark this and older items as seen</button>
      """
      : ""
    return """
      <li\(style) data-sequence="\(item.sequence)">\
      <a class="title" href="\(page)">\(title)</a>\
      <p class="facts">\(source)\(frame.time(item.seenAt)) · \
      <span class="change \(item.change.word)">\(item.change.word)</span>\(original)\(seen)</p>\
      \(row.difference.map { DifferenceView.html($0, linesMax: 8) })</li>
      """
  }
}

enum DifferenceView {
  /// Returns the first `linesMax` lines of a difference, with added and removed lines marked, and
  /// the number of further lines. Leaves out the `@@` lines if `linesMax` is at most 100.
  static func html(_ difference: String, linesMax: Int = 2_000) -> HTML {
    let lines = difference.split(separator: "\n", omittingEmptySubsequences: true)
    let shown = lines.prefix(linesMax).filter { linesMax > 100 || !$0.hasPrefix("@@") }
    let rest = lines.count - linesMax
    let more: HTML = rest > 0 ? "<span class=\"quiet\">… \(counted(rest, "more line"))</span>" : ""
    return """
      <pre class="difference">\(each: shown, { line(String($0)) })\(more)</pre>
      """
  }

  private static func line(_ text: String) -> HTML {
    let shown = text.firstCharacters(2_000)
    if text.hasPrefix("@@") { return "<span class=\"place\">\(shown)</span>" }
    if text.hasPrefix("+") { return "<ins>\(shown)</ins>" }
    if text.hasPrefix("-") { return "<del>\(shown)</del>" }
    return "<span>\(shown)</span>"
  }
}

extension String {
  /// Returns the first `count` characters of the text, with an ellipsis if the text is longer.
  func firstCharacters(_ count: Int) -> String {
    utf8.count <= count || self.count <= count ? self : prefix(count) + "…"
  }
}
