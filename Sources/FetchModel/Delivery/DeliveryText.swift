package import FetchValues

/// The plain text of deliveries, for people.
package enum DeliveryText {
  /// Returns one line about the batch's events, for example for the subject of an email.
  package static func subject(of batch: DeliveryBatch) -> String {
    let items = batch.items
    guard !batch.isDigest else {
      return items.isEmpty
        ? counted(batch.deliveries.count, "message")
        : "\(counted(items.count, "item")) of \(batch.hook)"
    }
    let delivery = batch.deliveries[0]
    switch delivery.event {
    case .newData:
      let title = items.count == 1 ? title(of: items[0]) : counted(items.count, "item")
      return "\(delivery.job): \(title)"
    case .noData: return "\(delivery.job) has nothing new"
    case .failed: return "\(delivery.job) fails"
    case .recovered: return "\(delivery.job) works again"
    case .stale: return "\(delivery.job) is \(isQuiet(batch.payloads[0]) ? "quiet" : "stale")"
    }
  }

  /// Returns the full plain text about the batch's events.
  package static func body(of batch: DeliveryBatch) -> String {
    zip(batch.deliveries, batch.payloads).map { text(of: $0, $1) }.joined(separator: "\n\n")
  }

  private static func text(of delivery: Delivery, _ payload: ValueObject) -> String {
    let items = (payload["items"]?.arrayValue ?? []).compactMap(\.objectValue)
    switch delivery.event {
    case .newData: return items.map { text(of: $0, job: delivery.job) }.joined(separator: "\n\n")
    case .noData: return "\(delivery.job) has nothing new."
    case .failed:
      let count = payload["failures"]?.integerValue ?? 1
      let message = payload["run"]?["failure"]?["message"]?.stringValue ?? "the reason is unknown"
      return "\(delivery.job) failed \(counted(Int(clamping: count), "time")) in a row: \(message)."
    case .recovered:
      let count = payload["failures"]?.integerValue ?? 1
      return "\(delivery.job) works again after \(counted(Int(clamping: count), "failure"))."
    case .stale:
      let since = payload["stale"]?["since"]?.stringValue ?? "an unknown time"
      return isQuiet(payload)
        ? "\(delivery.job) has found nothing new since \(since)."
        : "No run of \(delivery.job) has succeeded since \(since)."
    }
  }

  /// Whether the payload reports that the job has had no news for a long time.
  private static func isQuiet(_ payload: ValueObject) -> Bool {
    payload["stale"]?["what"]?.stringValue == StaleRule.What.newData.rawValue
  }

  private static func text(of item: ValueObject, job: JobName) -> String {
    var lines = ["\(job), \(item["change"]?.stringValue ?? "added"): \(title(of: item))"]
    if let url = item["url"]?.stringValue { lines.append(url) }
    if let summary = item["fields"]?["summary"]?.stringValue, !summary.isEmpty {
      lines.append(String(summary.prefix(500)))
    }
    return lines.joined(separator: "\n")
  }

  package static func title(of item: ValueObject) -> String {
    ItemTitle.shown(
      title: item["title"]?.stringValue, url: item["url"]?.stringValue,
      id: item["id"]?.stringValue, fields: item["fields"]?.objectValue ?? ValueObject())
  }
}
