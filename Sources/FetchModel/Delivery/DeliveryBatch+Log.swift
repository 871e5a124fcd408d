import FetchValues

extension DeliveryBatch {
  /// The line of a log that it was delivered:
  /// `hook 'chat': delivered newData of news, 3 items, to hooks.example.org`.
  package func sentence(deliveredTo receiver: String) -> String {
    let what =
      isDigest
      ? "a digest of \(deliveries.count) deliver\(deliveries.count == 1 ? "y" : "ies")"
      : "\(event) of \(deliveries[0].job)"
    let itemCount = items.count
    let content = itemCount == 0 ? "" : ", \(counted(itemCount, "item"))"
    return "hook '\(hook)': delivered \(what)\(content), to \(receiver)"
  }
}
