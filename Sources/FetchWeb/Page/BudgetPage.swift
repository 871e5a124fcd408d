package import FetchEngine

/// The page with the budget that all jobs share, and with the lanes of hostnames.
package struct BudgetPage: Sendable {
  package var lines: [LedgerLine]
  package var lanes: [LaneLine]

  package init(lines: [LedgerLine], lanes: [LaneLine]) {
    self.lines = lines
    self.lanes = lanes
  }

  /// Returns the page as HTML.
  package func html(_ frame: PageFrame) -> HTML {
    let content: HTML = """
      <div class="heading"><h1>Budget and lanes</h1>\
      <p class="facts">All jobs share one budget; a server has one lane.</p></div>
      <section aria-labelledby="budget"><h2 id="budget">Budget</h2>\(ledger(frame))</section>
      <section aria-labelledby="lanes"><h2 id="lanes">Lanes</h2>\(laneList(frame))</section>
      """
    return frame.page(title: "Budget", section: .budget, content)
  }

  private func ledger(_ frame: PageFrame) -> HTML {
    let rows = lines.map { line -> HTML in
      """
      <tr><th scope="row" class="name">\(line.noun)</th>\
      <td class="meter">\(Self.bar(line))</td>\
      <td class="number">\(line.available.map(line.text) ?? "–")</td>\
      <td class="number">\(line.limitText)</td>\
      <td class="number wide">\(line.spent.map(line.text) ?? "–")</td></tr>
      """
    }
    return frame.table(
      "Limits and the amounts that are left", style: "ledger",
      columns: [
        ("Resource", "name"), ("Share left", "meter"),
        ("Amount left", "number"), ("Limit", "number"),
        ("Spent in total", "number wide"),
      ], rows)
  }

  private func laneList(_ frame: PageFrame) -> HTML {
    if lanes.isEmpty { return frame.empty("No lane is in use, and none is closed.") }
    return frame.table(
      "Lanes in use or closed", style: "lanes",
      columns: [
        ("Hostname", "name"), ("Running", "number"), ("Waiting", "number"),
        ("Closed until", "next"), ("Why", "why"),
      ],
      lanes.map { lane in
        """
        <tr><th scope="row" class="name">\(lane.hostname)</th>\
        <td class="number">\(lane.running)</td><td class="number">\(lane.waiting)</td>\
        <td class="next">\(frame.time(lane.closedUntil))</td>\
        <td class="why">\(lane.why ?? "")</td></tr>
        """
      })
  }
}

extension BudgetPage {
  /// Returns a labelled gauge of the percentage of a budget that is left. Returns nil if the line
  /// has no percentage, or is about one job.
  static func meter(_ line: LedgerLine) -> HTML? {
    guard line.job == nil, let share = share(line) else { return nil }
    return """
      <span class="gauge"><span class="label">\(line.noun)</span>\(bar(line))\
      <span class="value">\(share) %</span> <span class="quiet">of \(line.limitText) left</span></span>
      """
  }

  private static func bar(_ line: LedgerLine) -> HTML {
    guard let share = share(line) else { return "<span class=\"quiet\">no limit</span>" }
    return """
      <meter min="0" max="100" low="10" high="25" optimum="100" value="\(share)" \
      aria-label="\(line.noun) left">\(share) %</meter>
      """
  }

  /// Returns the percentage that is left, from 0 to 100; nil if the line has no percentage.
  private static func share(_ line: LedgerLine) -> Int? {
    line.percentLeft.map { max(0, min($0, 100)) }
  }
}
