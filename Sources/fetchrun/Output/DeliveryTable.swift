import FetchModel
import FetchValues

/// The output of `fetchrun deliveries` as text, with one row for each delivery.
enum DeliveryTable {
  static func table(_ deliveries: [Delivery]) -> TextTable {
    var table = TextTable([
      .init(heading: "ID", isNumber: true), .init(heading: "HOOK"), .init(heading: "JOB"),
      .init(heading: "EVENT"), .init(heading: "STATE"),
      .init(heading: "TRIED", isNumber: true), .init(heading: "NEXT"), .init(heading: "WHY"),
    ])
    for delivery in deliveries {
      table.append([
        .init("\(delivery.id)"), .init(delivery.hook.text), .init(delivery.job.text),
        .init(delivery.event.rawValue),
        .init(delivery.state.rawValue, delivery.state == .dead ? .red : nil),
        .init("\(delivery.attemptCount)"), time(delivery.nextAttemptAt),
        .init(delivery.failure ?? ""),
      ])
    }
    return table
  }

  private static func time(_ time: Timestamp?) -> TextTable.Cell {
    .init(time.map(text) ?? "-")
  }

  static func text(_ time: Timestamp) -> String {
    String(time.descriptionInSeconds.prefix(19).map { $0 == "T" ? " " : $0 })
  }
}
