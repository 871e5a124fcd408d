/// An item as the store has it after one change; each later change makes a further one.
package struct StoredItem: Equatable, Sendable {
  /// Grows with every change of every job.
  package var sequence: Int64
  package var job: String
  package var key: ItemKey
  package var change: ChangeKind
  package var title: String?
  package var url: String?
  package var published: String?
  /// When the run that brought this change began.
  package var seenAt: Timestamp
  /// A JSON object: every other field the plugin gave.
  package var fieldsJSON: String

  package init(
    sequence: Int64, job: String, key: ItemKey, change: ChangeKind, title: String?, url: String?,
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
    self.fieldsJSON = fieldsJSON
  }
}

extension StoredItem {
  /// An item line: one object, compact, keys in this order; stable as `RunRecord.json` is.
  package var json: String {
    var line = JSONLine()
    line.member("sequence", sequence)
    line.member("job", job)
    line.member("id", key.text)
    line.member("change", change.word)
    line.member("title", title)
    line.member("url", url)
    line.member("publishedAt", published)
    line.member("seenAt", seenAt.description)
    line.member("fields", literal: fieldsJSON)
    return line.closed()
  }

  /// `fieldsJSON` read back; empty when it cannot be.
  package var fields: ValueObject {
    (try? JSONReader.decode(fieldsJSON))?.objectValue ?? ValueObject()
  }
}
