package import FetchValues

/// The ended and planned runs of a job on a time axis, as inline SVG.
///
/// All marks of one kind are one path. The plots of one day for 40 jobs therefore take 34 KB
/// instead of the 131 KB of a `rect` for each run. Kinds differ in height and place, not only in
/// colour. Marks of one kind in the same column are merged. A failed run is drawn over other ended
/// runs.
package struct TimelinePlot: Sendable {
  /// A kind of mark. Its raw value is its class in the style sheet.
  package enum Kind: String, Sendable, CaseIterable {
    case noData, newData, failed, planned
  }

  /// The mark of one ended or planned run.
  package struct Mark: Hashable, Sendable {
    package var at: Timestamp
    package var kind: Kind

    package init(_ kind: Kind, at: Timestamp) {
      self.kind = kind
      self.at = at
    }
  }

  /// The time span of a plot.
  package struct Span: Hashable, Sendable {
    package var start: Timestamp
    package var end: Timestamp
    package var now: Timestamp

    /// Returns the span of the last 18 hours and the next 6 hours.
    package static func day(_ now: Timestamp) -> Span {
      Span(start: now + .seconds(-18 * 3600), end: now + .seconds(6 * 3600), now: now)
    }

    /// Returns the span of the last six days and the next day.
    package static func week(_ now: Timestamp) -> Span {
      Span(start: now + .seconds(-6 * 86_400), end: now + .seconds(86_400), now: now)
    }

    /// Returns the column of a time; nil if the time is outside the span.
    func column(_ time: Timestamp, of width: Int) -> Int? {
      guard start <= time, time < end else { return nil }
      let whole = end.milliseconds - start.milliseconds
      let part = time.milliseconds - start.milliseconds
      return whole > 0 ? Int(part * Int64(width) / whole) : nil
    }
  }

  package var span: Span
  package var marks: [Mark]

  package init(_ span: Span, _ marks: [Mark]) {
    self.span = span
    self.marks = marks
  }
}

extension TimelinePlot {
  private static let height = 24

  /// Returns the plot with `sentence` as its label.
  ///
  /// - Parameter width: the number of columns.
  package func svg(width: Int = 480) -> HTML {
    let now = span.column(span.now, of: width) ?? 0
    return """
      <svg class="timeline" viewBox="0 0 \(width) \(Self.height)" preserveAspectRatio="none" \
      role="img" aria-label="\(sentence)">\(each: Kind.allCases, { path($0, width) })<path class="now" d="M\(now) 0v24"/></svg>
      """
  }

  private func path(_ kind: Kind, _ width: Int) -> HTML {
    var columns: [Int] = []
    for mark in marks where mark.kind == kind {
      if let column = span.column(mark.at, of: width), columns.last != column {
        columns.append(column)
      }
    }
    if columns.isEmpty { return "" }
    columns.sort()
    var last: Int?
    let distinct = columns.filter { column in
      defer { last = column }
      return last != column
    }
    return "<path class=\"\(kind.rawValue)\" d=\"\(each: distinct, { Self.stroke(kind, $0) })\"/>"
  }

  /// Returns the path of one mark. News is a tall line, and a failure is a line from the top. A run
  /// without news is a short line, and a planned run is an outlined box.
  private static func stroke(_ kind: Kind, _ column: Int) -> HTML {
    switch kind {
    case .noData: "M\(column) 23v-6"
    case .newData: "M\(column) 23v-19"
    case .failed: "M\(column) 2v13"
    case .planned: "M\(column) 16h3v5h-3z"
    }
  }

  /// The content of the plot in a sentence, for screen readers.
  package var sentence: String {
    let inside = marks.filter { span.column($0.at, of: 1) != nil }
    let parts: [(Kind, String)] = [
      (.newData, "with news"), (.noData, "without news"), (.failed, "failed"),
      (.planned, "planned"),
    ]
    let shown = parts.compactMap { kind, words -> String? in
      let count = inside.count { $0.kind == kind }
      return count == 0 ? nil : "\(count) \(words)"
    }
    return shown.isEmpty ? "no runs in this time" : "runs: " + shown.joined(separator: ", ")
  }

  /// Returns the labels of the hours or days of a span, each at its place along the width. The
  /// script of the page converts the labels to the reader's time zone.
  package static func scale(_ span: Span) -> HTML {
    let isDay = (span.end - span.start) <= .seconds(30 * 3600)
    let step: Int64 = isDay ? 3 * 3600 : 86_400
    var ticks: [Timestamp] = []
    var second = (span.start.seconds + step - 1).floorDivided(by: step) * step
    while second < span.end.seconds, ticks.count < 50 {
      ticks.append(Timestamp(seconds: second))
      second += step
    }
    let labels = ticks.enumerated().map { index, tick -> HTML in
      let place = span.column(tick, of: 1_000) ?? 0
      let text = isDay ? ShownTime.clock(tick) : ShownTime.day(tick)
      let kind: HTML = isDay ? "" : " data-day=\"\""
      let minor: HTML =
        index % 2 == 1 ? " class=\"minor\"" : index % 4 == 2 ? " class=\"half\"" : ""
      return """
        <text x="\(place / 10).\(place % 10)%" y="11"\(minor)\(kind) \
        data-at="\(tick.descriptionInSeconds)">\(text)</text>
        """
    }
    return "<svg class=\"scale\" aria-hidden=\"true\">\(each: labels, { $0 })</svg>"
  }
}

extension TimelinePlot {
  /// The legend of the plot, which explains the marks.
  package static var legend: HTML {
    let entries: [(Kind, String)] = [
      (.newData, "news"), (.noData, "nothing new"), (.failed, "failed"), (.planned, "planned"),
    ]
    return "\(each: entries, { key($0.0, $0.1) })"
  }

  private static func key(_ kind: Kind, _ words: String) -> HTML {
    """
    <span><svg class="timeline key" viewBox="0 0 12 24">\
    <path class="\(kind.rawValue)" d="\(stroke(kind, kind == .planned ? 4 : 6))"/></svg>\(words)</span>
    """
  }
}
