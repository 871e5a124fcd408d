/// The note in a run's line about items that are new but not news, by `first_run: baseline`.
package enum FirstRunNote {
  private static let ofRun = "first run: "
  private static let ofDownload = "download of the first run: "

  /// Returns the note.
  ///
  /// - Parameters:
  ///   - isOfTransfer: whether the run is about a download that the first run queued.
  ///   - isStored: false in a dry run.
  package static func text(itemCount: Int, isOfTransfer: Bool, isStored: Bool) -> String {
    let items = itemCount == 1 ? "1 item" : "\(itemCount) items"
    let news = itemCount == 1 ? "which is not news" : "none of them news"
    return (isOfTransfer ? ofDownload : ofRun)
      + (isStored ? "\(items) stored, \(news)" : "would store \(items), \(news)")
  }

  /// Whether a run's note begins like this. Its items are new, so `sameItems` would be wrong.
  package static func begins(_ note: String) -> Bool {
    note.hasPrefix(ofRun) || note.hasPrefix(ofDownload)
  }
}
