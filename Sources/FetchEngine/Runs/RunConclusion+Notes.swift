import FetchHost
import FetchModel
import FetchStore
import FetchValues

/// The notes about a run without a failure. They are added to the run's record and log.
extension RunConclusion {
  /// Returns the note for the run's record; nil if there is none. It consists of the plugin's note
  /// and of notes by the host, for example about queued downloads.
  func note(_ products: WorkerProducts) -> String? {
    var parts = [silence, products.note].compactMap(\.self)
    if work.isRehearsal {
      if queuedCount > 0 { parts.append("would queue \(counted(queuedCount, "download"))") }
      let fileCount = work.unchangedFileCount
      if fileCount > 0 { parts.append("would make \(counted(fileCount, "file change"))") }
    }
    if case .noData(let reason) = commit.record.outcome {
      if queuedCount > 0, !work.isRehearsal {
        parts.append("\(counted(queuedCount, "download")) queued")
      }
      if parts.isEmpty, reason == .empty, products.returnedNothing, !leased.isOfTransfer {
        parts.append("nothing returned")
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  private var queuedCount: Int { work.stored.transferCount + commit.transfers.count }

  /// The note about new items that are not news because of `first_run`. Nil if there are no such
  /// items, or if the run has news.
  private var silence: String? {
    guard case .noData = commit.record.outcome else { return nil }
    let count = work.stored.silentCount + commit.changes.silentCount
    if count == 0 { return nil }
    return FirstRunNote.text(
      itemCount: count, isOfTransfer: leased.isOfTransfer, isStored: !work.isRehearsal)
  }

  /// Returns a hint that `return` may be missing, if the plugin of a job without results returned
  /// nothing. All requests must have had successful answers with a new body: other answers may have
  /// no content for items. Returns nil for a run that sent no request, stored items at a
  /// checkpoint, is for a transfer, has a note of the plugin, or requested downloads.
  func forgottenReturn(_ products: WorkerProducts) -> LogLine? {
    guard products.returnedNothing, products.note == nil, !leased.isOfTransfer,
      leased.snapshot.firstResultAt == nil, commit.record.outcome == .noData(.empty),
      queuedCount == 0, !work.answerFacts.isEmpty, work.answerFacts.allSatisfy({ $0 == .full })
    else { return nil }
    return LogLine(.warning, Self.returnMissing)
  }

  static let returnMissing = "fetch returned nothing; is `return items` missing at its end?"

  /// Returns a warning if the first items of a job have neither an id nor a URL, and the identity
  /// rule is `automatic`, so that only their content identifies the items.
  func missingIdentity(_ products: WorkerProducts) -> LogLine? {
    guard leased.snapshot.firstResultAt == nil, work.stored.itemCount == 0,
      leased.job.rules.identity == .automatic, !products.items.isEmpty,
      products.items.allSatisfy({ ($0.id ?? "").isEmpty && ($0.url ?? "").isEmpty })
    else { return nil }
    return LogLine(.warning, Self.identityMissing)
  }

  static let identityMissing =
    "the items have neither id nor url: an item that changes will be added again; set id"

  /// Returns a warning if a job's first items have dates, but none of the dates can be read. The
  /// order of news and the learned schedule ignore such dates.
  func unreadDate(_ products: WorkerProducts) -> LogLine? {
    wrongText(
      products, [("published", \.published), ("updated", \.updated)], isRight: ItemText.isDate
    ).map { LogLine(.warning, $0 + Self.dateUnread) }
  }

  static let dateUnread = " is not an RFC 3339 date: convert it with time.iso(text)"

  /// Returns a warning if a job's first items have texts as their URLs, and none of the texts is an
  /// address.
  func unreadAddress(_ products: WorkerProducts) -> LogLine? {
    wrongText(products, [("url", \.url)], isRight: ItemText.mayBeAddress)
      .map { LogLine(.warning, $0 + Self.addressUnread) }
  }

  static let addressUnread = " is not an address such as https://example.org/1"

  /// Returns the place of the first text in the fields of a job's first items, such as `item 2: the
  /// text in 'url'`. Returns nil if a text is right, or if there is no text.
  private func wrongText(
    _ products: WorkerProducts, _ fields: [(name: String, path: KeyPath<ParsedItem, String?>)],
    isRight: (String) -> Bool
  ) -> String? {
    guard leased.snapshot.firstResultAt == nil, work.stored.itemCount == 0 else { return nil }
    var place: String?
    for (name, path) in fields {
      for (index, item) in products.items.enumerated() {
        guard let text = item[keyPath: path], !text.isEmpty else { continue }
        if isRight(text) { return nil }
        // Empty items also count in the plugin's result, but they are not in `items`.
        let number = products.emptyItems.count == 0 ? "item \(index + 1)" : "an item"
        place = place ?? "\(number): the text in '\(name)'"
      }
    }
    return place
  }
}
