import FetchEngine
package import FetchModel
import FetchValues

extension PageFrame {
  /// Returns a form with one button.
  ///
  /// - Parameters:
  ///   - label: the button's text.
  ///   - address: the address of the action.
  ///   - about: the thing that the action is about. Screen readers read it after the label.
  ///   - style: the classes of the button.
  ///   - fields: the names and values that the form sends in addition to its token and the address
  ///     of this page.
  ///   - returns: whether the form sends the address of this page, to which the action returns.
  func action(
    _ label: String, _ address: LocalAddress, about: String, style: String = "",
    fields: [(name: String, value: String)] = [], returns: Bool = true
  ) -> HTML {
    var hidden = fields + [("form", viewer.formToken)]
    if returns { hidden.append(("back", self.address.text)) }
    let inputs = hidden.map { field -> HTML in
      "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">"
    }
    return """
      <form class="action" method="post" action="\(address)">\(each: inputs, { $0 })\
      <button class="\(style)" aria-label="\(label): \(about)">\(label)</button></form>
      """
  }

  /// Returns the job's name as a link to its page.
  func jobLink(_ job: String) -> HTML {
    "<a class=\"job\" href=\"\(LocalAddress("jobs", job))\">\(job)</a>"
  }

  func jobLink(_ job: JobName) -> HTML { jobLink(job.text) }

  /// Returns the time as pages show it: see `appendInterpolation(time:now:)`.
  func time(_ time: Timestamp?) -> HTML { "\(time: time, now: now)" }

  /// Returns the state of a job as a label.
  func state(_ state: String) -> HTML {
    let known = JobState(rawValue: state)?.rawValue ?? "other"
    return "<span class=\"state \(known)\">\(state)</span>"
  }

  /// Returns the outcome of a run as a label, with the counts of changes, the reason or the
  /// failure.
  func outcome(_ outcome: Outcome) -> HTML {
    switch outcome {
    case .newData(let counts):
      """
      <span class="outcome newData">newData</span> <span class="counts">\(counts: counts)</span>
      """
    case .noData(let reason):
      """
      <span class="outcome noData">noData</span> <span class="quiet">\(reason.rawValue)</span>
      """
    case .failed(let failure):
      """
      <span class="outcome failed">failed</span> <span class="why">\(failure.message)</span>
      """
    }
  }

  /// Returns links to filtered versions of a list. The link to the shown version is marked.
  func filters(_ name: String, _ choices: [(label: String, address: LocalAddress)], current: Int)
    -> HTML
  {
    let links = choices.enumerated().map { index, choice -> HTML in
      let mark: HTML = index == current ? " aria-current=\"true\"" : ""
      return "<a href=\"\(choice.address)\"\(mark)>\(choice.label)</a>"
    }
    return "<nav class=\"filters\" aria-label=\"\(name)\">\(each: links, { $0 })</nav>"
  }

  /// Returns the line below a list, with the number of shown rows, the links of `sizes`, and the
  /// link to the next page.
  func pager(_ next: LocalAddress?, shown: String, sizes: PageSizes? = nil) -> HTML {
    let link: HTML = next.map { "<a rel=\"next\" href=\"\($0)\">Next ›</a>" } ?? ""
    return "<div class=\"pager\"><span>\(shown)</span>\(sizes?.html)\(link)</div>"
  }

  /// Returns a sentence in place of an empty list.
  func empty(_ sentence: String) -> HTML { "<p class=\"empty\">\(sentence)</p>" }

  /// Returns a table.
  ///
  /// - Parameters:
  ///   - name: the caption, which says what the table contains. Screen readers read the caption,
  ///     and browsers do not show it.
  ///   - columns: the headings, each with the classes of its column.
  func table(
    _ name: String, style: String = "", columns: [(heading: HTML, style: String)],
    _ rows: [HTML]
  ) -> HTML {
    let heads = columns.map { column -> HTML in
      "<th scope=\"col\" class=\"\(column.style)\">\(column.heading)</th>"
    }
    return """
      <table class="\(style)"><caption class="unseen">\(name)</caption>
      <thead><tr>\(each: heads, { $0 })</tr></thead>
      <tbody>\(each: rows, { $0 })</tbody></table>
      """
  }
}

extension StatusLine {
  /// Whether a requested run of the job can start: neither the job nor all jobs are paused.
  var canRun: Bool { pausedAt == nil && state != JobState.paused.rawValue }
}

extension HTML.StringInterpolation {
  /// Appends the nonzero counts of a run's changes, such as `+3 ~1 −2`.
  package mutating func appendInterpolation(counts: ChangeCounts) {
    let parts: [(sign: String, style: String, count: Int, word: String)] = [
      ("+", "added", counts.added, "added"), ("~", "updated", counts.updated, "updated"),
      ("−", "removed", counts.removed, "removed"),
    ]
    let shown = parts.filter { $0.count > 0 }.map { part -> HTML in
      """
      <span class="\(part.style)" title="\(part.count) \(part.word)">\(part.sign)\(part.count)</span>
      """
    }
    appendInterpolation(each: shown.enumerated()) { index, part in
      index == 0 ? part : " " + part
    }
  }
}
