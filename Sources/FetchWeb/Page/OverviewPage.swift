package import FetchEngine
package import FetchValues

/// The overview page. If a daemon runs, the page shows which jobs need attention, and the past and
/// planned runs of the listed jobs.
package struct OverviewPage: Sendable {
  /// A job that needs attention, with the reason.
  package struct Attention: Sendable {
    package enum Action: Sendable {
      case run, resume, review
    }

    package var job: String
    /// The reason why the job needs attention, without the job's name.
    package var why: String
    /// The action that may help; nil if there is none for this job alone.
    package var action: Action?

    package init(job: String, why: String, action: Action?) {
      self.job = job
      self.why = why
      self.action = action
    }
  }

  /// One job in the list.
  package struct Row: Sendable {
    package var status: StatusLine
    package var plot: TimelinePlot
    /// The number of ended runs in the plot. `newsCount` is the number of these runs that have
    /// news.
    package var runCount: Int
    package var newsCount: Int

    package init(_ status: StatusLine, _ plot: TimelinePlot) {
      self.status = status
      self.plot = plot
      runCount = plot.marks.count { $0.kind != .planned }
      newsCount = plot.marks.count { $0.kind == .newData }
    }
  }

  /// A selection of jobs.
  package enum Filter: String, Sendable, CaseIterable {
    case all, failing, running, waiting, paused
  }

  package var jobCount: Int
  /// Whether a daemon runs. Without a daemon, the page shows only facts from the store.
  package var isServed = true
  /// The jobs that need attention and are listed on the page.
  package var attention: [Attention] = []
  /// The number of jobs that need attention, including the jobs that the page does not list. The
  /// count may stop at `StatusFilter.limitMax`.
  package var attentionCount = 0
  package var servingSince: Timestamp?
  package var nextDueAt: Timestamp?
  /// The time at which all jobs were paused together; nil without such a pause.
  package var pausedSince: Timestamp?
  package var rows: [Row] = []
  package var span: TimelinePlot.Span
  package var filter = Filter.all
  /// The text that the names of the shown jobs must contain, or a pattern such as `news*` that they
  /// must match; nil for all jobs.
  package var match: String?
  /// The address of the next page, which may turn out to be empty; nil if no further job follows.
  package var next: LocalAddress?
  package var budget: [LedgerLine] = []
  /// The number of closed lanes. `lanesOpenAt` is the time when the first of these lanes opens.
  package var closedLaneCount = 0
  package var lanesOpenAt: Timestamp?
  /// Sentences about the problems of the machine or the store; empty if there are no problems.
  package var troubles: [String] = []
  package var rowsMax = 100

  package init(jobCount: Int, span: TimelinePlot.Span) {
    self.jobCount = jobCount
    self.span = span
  }
}

extension OverviewPage {
  /// The heading of the page, which says whether jobs need attention.
  package var heading: String {
    if !isServed { return "No daemon is running" }
    if jobCount == 0 { return "No jobs yet" }
    if attentionCount == 0 {
      return jobCount == 1
        ? "The job is not failing" : "None of the \(ShownTime.number(jobCount)) jobs is failing"
    }
    let need = attentionCount == 1 ? "needs" : "need"
    return "\(ShownTime.number(attentionCount)) of \(ShownTime.count(jobCount, "job")) \(need) you"
  }

  /// Returns the page as HTML.
  package func html(_ frame: PageFrame) -> HTML {
    let content: HTML = """
      <div class="heading"><h1 id="answer" aria-live="polite">\(heading)</h1>\
      <p class="facts">\(facts(frame))</p>\(pause(frame))</div>
      \(each: troubles, { "<p class=\"trouble\" role=\"alert\">\($0)</p>" })
      \(attentionList(frame))
      \(jobList(frame))
      \(budgetStrip(frame))
      """
    return frame.page(title: heading, section: .overview, content)
  }

  private func facts(_ frame: PageFrame) -> HTML {
    let parts = [
      servingSince.map { "serving since \(time: $0, now: frame.now)" as HTML },
      pausedSince.map { "all jobs paused since \(time: $0, now: frame.now)" as HTML },
      (isServed ? nextDueAt : nil).map { time -> HTML in
        time <= frame.now
          ? "next run now" : "next run in \(ShownTime.span(time - frame.now))"
      },
    ].compactMap { $0 }
    return "\(each: parts.enumerated(), { $0.offset == 0 ? $0.element : " · " + $0.element })"
  }

  private func pause(_ frame: PageFrame) -> HTML {
    guard frame.viewer.acts, isServed, jobCount > 0 else { return "" }
    return pausedSince == nil
      ? frame.action("Pause all", LocalAddress("pause"), about: "all jobs", style: "plain")
      : frame.action("Resume all", LocalAddress("resume"), about: "all jobs", style: "primary")
  }

  // MARK: Attention

  private func attentionList(_ frame: PageFrame) -> HTML {
    if attention.isEmpty { return "" }
    let rest = attentionCount - attention.count
    let more: HTML =
      rest <= 0
      ? ""
      : """
      <li class="more"><a href="\(address(.failing))">and \(ShownTime.number(rest)) more</a></li>
      """
    return """
      <ul class="attention" aria-label="Jobs that need your attention">\
      \(each: attention, { item($0, frame) })\(more)</ul>
      """
  }

  private func item(_ attention: Attention, _ frame: PageFrame) -> HTML {
    let explain = LocalAddress("jobs", attention.job)
    let button: HTML =
      switch attention.action {
      case .run where frame.viewer.acts:
        frame.action("Run now", LocalAddress("jobs", attention.job, "run"), about: attention.job)
      case .resume where frame.viewer.acts:
        frame.action("Resume", LocalAddress("jobs", attention.job, "resume"), about: attention.job)
      case .review:
        """
        <a class="button" href="\(LocalAddress("jobs", attention.job, "permissions"))" \
        aria-label="Review: \(attention.job)">Review</a>
        """
      default: ""
      }
    let style: HTML = attention.action == .review ? " class=\"review\"" : ""
    return """
      <li\(style)><span class="who">\(frame.jobLink(attention.job))</span>\
      <span class="why">\(attention.why)</span>\
      <span class="buttons">\(button)<a class="button plain" href="\(explain)" \
      aria-label="Explain: \(attention.job)">Explain</a></span></li>
      """
  }

  // MARK: Jobs

  private func address(_ filter: Filter) -> LocalAddress {
    LocalAddress().adding("show", filter == .all ? nil : filter.rawValue).adding("match", match)
      .adding("rows", rowsMax == 100 ? nil : "\(rowsMax)")
  }

  private var sizes: PageSizes? {
    guard jobCount > (PageSizes.counts.first ?? 0) else { return nil }
    var base = LocalAddress()
    base = base.adding("show", filter == .all ? nil : filter.rawValue).adding("match", match)
    return PageSizes(current: rowsMax, base: base)
  }

  private func jobList(_ frame: PageFrame) -> HTML {
    if !isServed {
      return """
        <section class="welcome"><p>Nothing runs until a daemon is started:</p>
        <pre>fetchrun serve</pre>
        \(stored)</section>
        """
    }
    if jobCount == 0 {
      return """
        <section class="welcome"><p>Nothing is scheduled. Add a first job in a terminal:</p>
        <pre>fetchrun add https://www.swift.org/atom.xml</pre>
        <p>It appears here when the daemon has read the config.</p></section>
        """
    }
    let choices = Filter.allCases.map { (label: $0.rawValue, address: address($0)) }
    let current = Filter.allCases.firstIndex(of: filter) ?? 0
    let found: HTML =
      match.map { text -> HTML in
        """
        <p class="facts">Jobs whose names match “\(text)” · <a href="/">show all</a></p>
        """
      } ?? ""
    let list =
      rows.isEmpty
      ? frame.empty("No job is in this list.")
      : frame.table(
        "Jobs with their runs", style: "jobs",
        columns: [
          ("Job", "name"), ("State", "status"),
          ("<span class=\"unseen\">Runs</span>\(TimelinePlot.scale(span))", "plot"),
          ("Next", "next"),
          ("News/runs", "number"),
        ], rows.map { row($0, frame) })
    return """
      <section aria-labelledby="jobs">
      <div class="toolbar"><h2 id="jobs">Runs, last 18 hours and next 6</h2>\
      \(frame.filters("Jobs shown", choices, current: current))</div>\(found)\
      \(list)
      <div class="legend" aria-hidden="true">\(TimelinePlot.legend)<span class="future">\
      to come</span></div>
      \(frame.pager(
        next, shown: "\(rows.count) of \(ShownTime.count(jobCount, "job"))", sizes: sizes))
      </section>
      """
  }

  /// A paragraph with links to the stored items and runs; empty if `jobCount` is 0.
  private var stored: HTML {
    if jobCount == 0 { return "" }
    return """
      <p>The store has \(ShownTime.count(jobCount, "job")). Their <a href="/items">items</a> and \
      <a href="/runs">runs</a> can be read meanwhile.</p>
      """
  }

  private func row(_ row: Row, _ frame: PageFrame) -> HTML {
    let status = row.status
    let next: HTML =
      status.nextDueAt.map { time -> HTML in
        time <= frame.now ? "now" : "\(time: time, now: frame.now)"
      } ?? "–"
    // The script reads the attribute to choose between pausing and resuming the job.
    let pause: HTML = status.pausedAt == nil ? "" : " data-paused"
    return """
      <tr data-job="\(status.job)"><th scope="row" class="name">\(frame.jobLink(status.job))</th>\
      <td class="status"\(pause)>\(frame.state(status.state))\(failures(status))</td>\
      <td class="plot">\(row.plot.svg())</td><td class="next">\(next)</td>\
      <td class="number">\(row.newsCount)<span class="quiet">/\(row.runCount)</span></td></tr>
      """
  }

  private func failures(_ status: StatusLine) -> HTML {
    status.failures == 0
      ? ""
      : " <span class=\"failures\" title=\"\(status.why)\">\(status.failures)×</span>"
  }

  // MARK: Budget

  private func budgetStrip(_ frame: PageFrame) -> HTML {
    let meters = budget.compactMap(BudgetPage.meter)
    if meters.isEmpty && closedLaneCount == 0 { return "" }
    let lanes: HTML =
      closedLaneCount == 0
      ? ""
      : """
      <a class="lanes" href="/budget">\(counted(closedLaneCount, "lane")) closed\
      \(lanesOpenAt.map { "; next opening: \(time: $0, now: frame.now)" as HTML })</a>
      """
    return """
      <section class="strip" aria-label="Budget">\(each: meters, { $0 })\(lanes)</section>
      """
  }
}
