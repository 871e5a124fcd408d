import FetchEngine
import FetchValues

/// The output of `fetchrun status` as text, with one row for each job.
enum StatusTable {
  static func table(_ lines: [StatusLine]) -> TextTable {
    var table = TextTable([
      .init(heading: "JOB", isShortened: true), .init(heading: "STATE"), .init(heading: "LAST"),
      .init(heading: "SUCCESS", isOptional: true), .init(heading: "NEW DATA", isOptional: true),
      .init(heading: "NEXT"), .init(heading: "FAILURES", isNumber: true, isOptional: true),
      .init(heading: "LANE", isOptional: true), .init(heading: "WHY"),
    ])
    for line in lines {
      table.append([
        .init(line.job), .init(line.state, style(state: line.state)),
        .init(line.lastOutcome ?? "-", style(outcome: line.lastOutcome)),
        time(line.lastSuccessAt), time(line.lastNewDataAt), time(line.nextDueAt),
        .init(line.failures == 0 ? "-" : "\(line.failures)", line.failures == 0 ? nil : .red),
        .init(line.lane ?? "-"), .init(line.why),
      ])
    }
    return table
  }

  private static func time(_ time: Timestamp?) -> TextTable.Cell {
    guard let time else { return "-" }
    return .init(
      String(time.descriptionInSeconds.prefix(19).map { $0 == "T" ? " " : $0 }))
  }

  private static func style(state: String) -> Terminal.Style? {
    switch JobState(rawValue: state) {
    case .running: .green
    case .backOff: .red
    case .paused, .waiting: .yellow
    case .disabled, .idle: .dim
    case .scheduled, nil: nil
    }
  }

  private static func style(outcome: String?) -> Terminal.Style? {
    switch outcome {
    case "newData": .green
    case "failed": .red
    default: nil
    }
  }
}
