/// The note in a run's output line about new items that are not news because of `first_run`.
package enum FirstRunNote {
  private static let ofRun = "first run: "
  private static let ofDownload = "download of the first run: "

  /// Returns the note about the items of a first run.
  ///
  /// - Parameters:
  ///   - isOfTransfer: whether the run processes a download that the first run queued.
  ///   - isStored: false in a dry run.
  package static func text(itemCount: Int, isOfTransfer: Bool, isStored: Bool) -> String {
    let items = itemCount == 1 ? "1 item" : "\(itemCount) items"
    let news = itemCount == 1 ? "which is not news" : "none of which is news"
    return (isOfTransfer ? ofDownload : ofRun)
      + (isStored ? "\(items) stored, \(news)" : "would store \(items), \(news)")
  }

  /// Whether a note begins with the text about a first run. The output line shows no reason beside
  /// such a note, because the reason `sameItems` would be wrong for new items.
  package static func begins(_ note: String) -> Bool {
    note.hasPrefix(ofRun) || note.hasPrefix(ofDownload)
  }
}
