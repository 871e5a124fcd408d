package import FetchModel
import FetchValues

/// The page of the deliveries that wait or were given up.
package struct DeliveriesPage: Sendable {
  package var deliveries: [Delivery]
  /// Whether the page shows only deliveries that were given up.
  package var onlyDead: Bool

  package init(_ deliveries: [Delivery], onlyDead: Bool) {
    self.deliveries = deliveries
    self.onlyDead = onlyDead
  }

  /// Returns the page as HTML.
  package func html(_ frame: PageFrame) -> HTML {
    let base = LocalAddress("deliveries")
    let content: HTML = """
      <div class="heading"><h1>Deliveries</h1>\(frame.filters(
        "Deliveries shown", [("all", base), ("given up", base.adding("state", "dead"))],
        current: onlyDead ? 1 : 0))</div>
      \(deliveries.isEmpty
        ? frame.empty(
          onlyDead
            ? "There are no deliveries that were given up." : "There are no deliveries to show.")
        : Self.table(deliveries, showsJob: true, frame))
      """
    return frame.page(title: "Deliveries", section: .deliveries, content)
  }

  static func table(_ deliveries: [Delivery], showsJob: Bool, _ frame: PageFrame) -> HTML {
    let rows = deliveries.map { delivery -> HTML in
      let id = "\(delivery.id)"
      let about = "delivery \(id) to \(delivery.hook)"
      let buttons: HTML =
        frame.viewer.acts
        ? frame.action("Retry", LocalAddress("deliveries", id, "retry"), about: about)
          + frame.action(
            "Drop", LocalAddress("deliveries", id, "drop"), about: about, style: "danger")
        : ""
      let name: HTML = showsJob ? "<td class=\"name\">\(frame.jobLink(delivery.job))</td>" : ""
      return """
        <tr><th scope="row" class="hook">\(delivery.hook.text)</th>\(name)\
        <td class="wide">\(delivery.event.rawValue)</td>\
        <td><span class="state \(delivery.state.rawValue)">\(word(delivery))</span></td>\
        <td class="number wide">\(delivery.attemptCount)</td>\
        <td class="next">\(delivery.nextAttemptAt.map { frame.time($0) })</td>\
        <td class="why">\(delivery.failure ?? "")</td><td class="buttons">\(buttons)</td></tr>
        """
    }
    let name: [(heading: HTML, style: String)] = showsJob ? [("Job", "name")] : []
    return frame.table(
      "Deliveries", style: "queue",
      columns: [("Hook", "hook")] + name + [
        ("Event", "wide"), ("State", ""), ("Attempts", "number wide"), ("Next", "next"),
        ("Why", "why"), ("<span class=\"unseen\">Actions</span>", "buttons"),
      ], rows)
  }

  private static func word(_ delivery: Delivery) -> String {
    delivery.state == .dead ? "given up" : delivery.state.rawValue
  }
}

/// The page of the transfers.
package struct TransfersPage: Sendable {
  package var transfers: [TransferRecord]

  package init(_ transfers: [TransferRecord]) { self.transfers = transfers }

  /// Returns the page as HTML.
  package func html(_ frame: PageFrame) -> HTML {
    let content: HTML = """
      <div class="heading"><h1>Transfers</h1></div>
      \(transfers.isEmpty
        ? frame.empty("There are no transfers.")
        : Self.table(transfers, showsJob: true, frame))
      """
    return frame.page(title: "Transfers", section: .transfers, content)
  }

  static func table(_ transfers: [TransferRecord], showsJob: Bool, _ frame: PageFrame) -> HTML {
    let rows = transfers.map { row($0, showsJob: showsJob, frame) }
    let name: [(heading: HTML, style: String)] = showsJob ? [("Job", "name")] : []
    return frame.table(
      "Transfers", style: "queue",
      columns: [("File", "file")] + name + [
        ("State", ""), ("Received", "meter"), ("Next", "next"), ("Why", "why"),
        ("<span class=\"unseen\">Actions</span>", "buttons"),
      ], rows)
  }

  private static func row(
    _ transfer: TransferRecord, showsJob: Bool, _ frame: PageFrame
  ) -> HTML {
    let name: HTML = showsJob ? "<td class=\"name\">\(frame.jobLink(transfer.job))</td>" : ""
    return """
      <tr><th scope="row" class="file">\(transfer.request.to.text)</th>\(name)\
      <td><span class="state \(transfer.state.rawValue)">\(transfer.state.rawValue)</span></td>\
      <td class="meter">\(progress(transfer))</td>\
      <td class="next">\(transfer.nextAttemptAt.map { frame.time($0) })</td>\
      <td class="why">\(transfer.failure?.message ?? "")</td>\
      <td class="buttons">\(buttons(transfer, frame))</td></tr>
      """
  }

  private static func progress(_ transfer: TransferRecord) -> HTML {
    let received = ByteSize(bytes: transfer.download.receivedBytes).decimal
    guard let total = transfer.download.totalBytes, total > 0 else { return "\(received)" }
    let share = max(0, min(transfer.download.receivedBytes, total)) / max(1, total / 100)
    return """
      <progress max="100" value="\(min(100, share))" aria-label="received">\(share) %</progress> \
      <span class="quiet">\(received) of \(ByteSize(bytes: total).decimal)</span>
      """
  }

  private static func buttons(_ transfer: TransferRecord, _ frame: PageFrame) -> HTML {
    guard frame.viewer.acts else { return "" }
    let id = "\(transfer.id)"
    let about = "transfer \(id)"
    switch transfer.state {
    case .queued, .running, .waiting:
      return frame.action(
        "Cancel", LocalAddress("transfers", id, "cancel"), about: about, style: "danger")
    case .failed: return frame.action("Retry", LocalAddress("transfers", id, "retry"), about: about)
    case .done: return ""
    }
  }
}
