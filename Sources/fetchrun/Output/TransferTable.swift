import FetchModel
import FetchValues

/// The output of `fetchrun transfers` as text, with one row for each transfer.
enum TransferTable {
  static func table(_ records: [TransferRecord]) -> TextTable {
    var table = TextTable([
      .init(heading: "ID", isNumber: true), .init(heading: "JOB"), .init(heading: "STATE"),
      .init(heading: "RECEIVED", isNumber: true), .init(heading: "OF", isNumber: true),
      .init(heading: "NEXT"), .init(heading: "TO"), .init(heading: "WHY"),
    ])
    for record in records {
      table.append([
        .init("\(record.id)"), .init(record.job.text),
        .init(record.state.rawValue, style(record.state)),
        .init(ByteSize(bytes: record.download.receivedBytes).decimal),
        .init(record.download.totalBytes.map { ByteSize(bytes: $0).decimal } ?? "-"),
        time(record.nextAttemptAt), .init(record.request.to.text),
        .init(record.failure?.message ?? ""),
      ])
    }
    return table
  }

  private static func time(_ time: Timestamp?) -> TextTable.Cell {
    guard let time else { return "-" }
    return .init(String(time.descriptionInSeconds.prefix(19).map { $0 == "T" ? " " : $0 }))
  }

  private static func style(_ state: TransferState) -> Terminal.Style? {
    switch state {
    case .running: .green
    case .waiting: .yellow
    case .failed: .red
    case .done: .dim
    case .queued: nil
    }
  }
}
