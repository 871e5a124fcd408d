package import FetchValues

/// The version of an item after one change. Each later change adds another version.
package struct StoredItem: Sendable {
  /// The sequence number of the change. It is higher than the sequence numbers of all earlier
  /// changes of all jobs. It is 0 if the change is not stored.
  package private(set) var sequence: Int64
  package let job: JobName
  package let key: ItemKey
  package let change: ChangeKind
  package let title: String?
  package let url: String?
  package let published: String?
  /// The start time of the run that made this change.
  package let seenAt: Timestamp
  private let rest: Rest

  /// The item's fields other than `id`, `title`, `url` and `published`. With the case `item`, the
  /// fields are encoded as JSON only when they are needed.
  private enum Rest {
    case json(String)
    case item(ParsedItem)
  }

  package init(
    sequence: Int64, job: JobName, key: ItemKey, change: ChangeKind, title: String?, url: String?,
    published: String?, seenAt: Timestamp, fieldsJSON: String
  ) {
    self.sequence = sequence
    self.job = job
    self.key = key
    self.change = change
    self.title = title
    self.url = url
    self.published = published
    self.seenAt = seenAt
    rest = .json(fieldsJSON)
  }

  /// Creates the version that results from a change. A removed item has the title and URL of its
  /// last version if the change includes that version.
  package init(_ change: ItemChange, sequence: Int64, job: JobName, seenAt: Timestamp) {
    self.sequence = sequence
    self.job = job
    key = change.key
    self.change = change.kind
    title = change.item?.title ?? change.last?.title
    url = change.item?.url ?? change.last?.url
    published = change.item?.published
    self.seenAt = seenAt
    rest = change.item.map { .item($0) } ?? .json("{}")
  }

  /// The item's fields other than `id`, `title`, `url` and `published`, as a JSON object.
  package var fieldsJSON: String {
    switch rest {
    case .json(let text): text
    case .item(let item): String(decoding: item.fieldsJSON, as: UTF8.self)
    }
  }
}

extension StoredItem: Equatable {
  package static func == (left: StoredItem, right: StoredItem) -> Bool { left.json == right.json }
}

extension StoredItem {
  /// The item as one line for output: a compact JSON object with its keys in a fixed order. Other
  /// programs read the line, so keys may be added but never renamed, moved or removed.
  package var json: String { String(decoding: jsonBytes, as: UTF8.self) }

  /// The line `json` in UTF-8.
  package var jsonBytes: [UInt8] {
    var line = JSONLine(reserving: lengthUsual)
    line.member("sequence", sequence)
    write(to: &line)
    return line.closedBytes()
  }

  /// The approximate length of the line in bytes. It does not include escapes, or the fields of a
  /// `ParsedItem`.
  private var lengthUsual: Int {
    let fieldsLength = if case .json(let text) = rest { text.utf8.count } else { 0 }
    let texts = [key.text, title ?? "", url ?? "", job.text].reduce(0) { $0 + $1.utf8.count }
    return 200 + texts + fieldsLength
  }

  /// The item's output line in two parts. The sequence number goes between the parts.
  package var jsonAroundSequence: (before: String, after: String) {
    var line = JSONLine()
    write(to: &line)
    var bytes = line.closedBytes()
    // The line continues after its sequence number, so a comma replaces the opening brace.
    bytes[0] = UInt8(ascii: ",")
    return (#"{"sequence":"#, String(decoding: bytes, as: UTF8.self))
  }

  private func write(to line: inout JSONLine) {
    line.member("job", job)
    line.member("id", key.text)
    line.member("change", change.word)
    line.member("title", title)
    line.member("url", url)
    line.member("publishedAt", published)
    line.member("seenAt", seenAt.description)
    line.member("fields", literal: fieldsJSON)
  }

  /// The fields parsed from `fieldsJSON`; empty if `fieldsJSON` is invalid.
  package var fields: ValueObject {
    (try? JSONReader.decode(fieldsJSON))?.objectValue ?? ValueObject()
  }
}

extension StoredItem {
  /// The same item with the sequence number 0, for a run that is not stored.
  package var unstored: StoredItem {
    var copy = self
    copy.sequence = 0
    return copy
  }
}

extension StoredItem {
  /// The title that people see: see `ItemTitle`.
  package var shownTitle: String {
    ItemTitle.shown(title: title, url: url, id: key.text, fields: fields)
  }
}
