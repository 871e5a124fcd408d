package import FetchEngine
package import FetchModel
package import FetchStore
import FetchValues

/// The page of one job, with the reasons why it runs or does not run, its runs and its newest
/// items.
package struct JobPage: Sendable {
  /// One condition that must hold before the job runs.
  package struct Gate: Sendable {
    package var name: String
    package var isOpen: Bool
    /// The reason why the gate is closed; nil if it is open.
    package var why: String?

    /// The gate's name as separate words, such as `run times` for `runTimes`.
    var words: String {
      var words = ""
      for scalar in name.unicodeScalars {
        if scalar.properties.isUppercase, !words.isEmpty { words.append(" ") }
        words += scalar.properties.lowercaseMapping
      }
      return words
    }

    package init(name: String, isOpen: Bool, why: String?) {
      self.name = name
      self.isOpen = isOpen
      self.why = why
    }
  }

  package var status: StatusLine
  /// Whether only the store has the job, for example because it ran outside the config. The page
  /// then has no state and no actions.
  package var isOnlyStored = false
  /// The sentences that `fetchrun explain` prints.
  package var sentences: [String] = []
  package var gates: [Gate] = []
  package var week: TimelinePlot
  package var delays: DelayPlot?
  /// The cost of the job's last runs; nil if the store has no ended run of the job.
  package var cost: JobCost?
  package var runs: [RunRecord] = []
  package var items: [ItemsPage.Row] = []
  package var skips: [SkipRecord] = []
  package var transfers: [TransferRecord] = []
  package var deliveries: [Delivery] = []
  /// Whether the plugin's file may not run, for example because its permissions wait for approval.
  package var needsGrant = false

  package init(_ status: StatusLine, week: TimelinePlot) {
    self.status = status
    self.week = week
  }

  /// Returns the page as HTML.
  package func html(_ frame: PageFrame) -> HTML {
    var frame = frame
    frame.feed = LocalAddress("feeds", FeedName(job: JobName(status.job), .atom).text)
    let content: HTML = """
      <div class="heading"><h1>\(status.job)</h1>\(facts(frame))\(actions(frame))</div>
      \(grant)
      <section class="explain" aria-labelledby="why"><h2 id="why">Why</h2>\
      \(each: sentences, { "<p>\($0)</p>" })\(gateList)</section>
      \(timeline)
      \(contents)
      \(runList(frame))
      \(itemList(frame))
      \(queues(frame))
      \(skipList(frame))
      """
    return frame.page(title: status.job, section: nil, content)
  }

  private func facts(_ frame: PageFrame) -> HTML {
    if isOnlyStored { return "<p class=\"facts\">not a job of the daemon</p>" }
    return """
      <p class="facts">\(frame.state(status.state))\(when(frame)) · \
      <a href="\(LocalAddress("jobs", status.job, "permissions"))">permissions</a></p>
      """
  }

  private func when(_ frame: PageFrame) -> HTML {
    guard let next = status.nextDueAt else { return "" }
    return next <= frame.now
      ? " · due now"
      : " · next run \(time: next, now: frame.now), in \(ShownTime.span(next - frame.now))"
  }

  private func actions(_ frame: PageFrame) -> HTML {
    guard frame.viewer.acts, !isOnlyStored else { return "" }
    let job = status.job
    return """
      \(status.canRun
        ? frame.action("Run now", LocalAddress("jobs", job, "run"), about: job, style: "primary")
        : "")\
      \(status.pausedAt != nil
        ? frame.action("Resume", LocalAddress("jobs", job, "resume"), about: job)
        : frame.action("Pause", LocalAddress("jobs", job, "pause"), about: job))
      """
  }

  private var grant: HTML {
    let address = LocalAddress("jobs", status.job, "permissions")
    return needsGrant
      ? """
      <p class="trouble">The plugin file of this job lacks a permission or a setting, so it does \
      not run. \
      <a href="\(address)">Review the permissions</a></p>
      """
      : ""
  }

  private var gateList: HTML {
    if gates.isEmpty { return "" }
    return """
      <ol class="gates" aria-label="Conditions of a run">\(each: gates, { gate in
        Self.entry(gate)
      })</ol>
      """
  }

  private static func entry(_ gate: Gate) -> HTML {
    let why: HTML = gate.why.map { " <span class=\"why\">\($0)</span>" } ?? ""
    let name = gate.words
    return gate.isOpen
      ? """
      <li class="open"><span aria-hidden="true">✓</span><span class="unseen">open:</span> \
      \(name)</li>
      """
      : """
      <li class="closed"><span aria-hidden="true">✗</span><span class="unseen">closed:</span> \
      \(name)\(why)</li>
      """
  }

  // MARK: Plots

  private var timeline: HTML {
    let delay: HTML =
      delays.map { plot in
        """
        <section aria-labelledby="delays"><h2 id="delays">Delay of items, 30 days</h2>\
        \(plot.html)</section>
        """
      } ?? ""
    let costs: HTML =
      cost.map { cost in
        """
        <h2 class="sub">Its last \(counted(cost.runCount, "run")), on average</h2>\(cost.html)
        """
      } ?? ""
    return """
      <div class="plots"><section aria-labelledby="line">\
      <h2 id="line">Runs, last 6 days and next day</h2>\
      <div class="bigplot week">\(week.svg(width: 640))\(TimelinePlot.scale(week.span))</div>\
      <div class="legend" aria-hidden="true">\(TimelinePlot.legend)</div>\(costs)</section>\
      \(delay)</div>
      """
  }

  /// The links to the lists on this page.
  private var contents: HTML {
    let parts: [(id: HTML, name: HTML, isShown: Bool)] = [
      ("runs", "Runs", true), ("items", "Items", true),
      ("transfers", "Transfers", !transfers.isEmpty),
      ("deliveries", "Deliveries", !deliveries.isEmpty), ("skips", "Skips", !skips.isEmpty),
    ]
    return """
      <nav class="contents" aria-label="Lists of this job">\(each: parts.filter(\.isShown), {
        "<a href=\"#\($0.id)\">\($0.name)</a>"
      })</nav>
      """
  }

  // MARK: Lists

  private func runList(_ frame: PageFrame) -> HTML {
    let all = LocalAddress("runs").adding("job", status.job)
    return """
      <section aria-labelledby="runs"><div class="toolbar"><h2 id="runs">Runs</h2>\
      <a href="\(all)">all runs</a></div>\(runs.isEmpty
        ? frame.empty("This job has no ended runs.")
        : RunTable.html(runs, showsJob: false, frame))</section>
      """
  }

  private func itemList(_ frame: PageFrame) -> HTML {
    let all = LocalAddress("items").adding("job", status.job)
    let list: HTML =
      items.isEmpty
      ? frame.empty("It has no items.")
      : """
      <ol class="items read">\(each: items, { row in
        Self.item(row, frame)
      })</ol>
      """
    return """
      <section aria-labelledby="items"><div class="toolbar"><h2 id="items">Newest items</h2>\
      <a href="\(all)">all items</a></div>\(list)</section>
      """
  }

  /// Returns the list entry of an item, without the item's changes.
  private static func item(_ row: ItemsPage.Row, _ frame: PageFrame) -> HTML {
    let page = LocalAddress("items", "\(row.item.sequence)")
    return """
      <li><a class="title" href="\(page)">\(row.item.shownTitle.firstCharacters(300))</a>\
      <p class="facts">\(frame.time(row.item.seenAt)) · <span class="change \
      \(row.item.change.word)">\(row.item.change.word)</span></p></li>
      """
  }

  private func queues(_ frame: PageFrame) -> HTML {
    let moving: HTML =
      transfers.isEmpty
      ? ""
      : """
      <section aria-labelledby="transfers"><h2 id="transfers">Transfers</h2>\
      \(TransfersPage.table(transfers, showsJob: false, frame))</section>
      """
    let waiting: HTML =
      deliveries.isEmpty
      ? ""
      : """
      <section aria-labelledby="deliveries"><h2 id="deliveries">Deliveries</h2>\
      \(DeliveriesPage.table(deliveries, showsJob: false, frame))</section>
      """
    return moving + waiting
  }

  private func skipList(_ frame: PageFrame) -> HTML {
    if skips.isEmpty { return "" }
    let rows = skips.map { skip -> HTML in
      "<li>\(frame.time(skip.at)) <span class=\"why\">\(skip.reason)</span></li>"
    }
    return """
      <section aria-labelledby="skips"><h2 id="skips">Skipped runs</h2>\
      <ol class="plain">\(each: rows, { $0 })</ol></section>
      """
  }
}
