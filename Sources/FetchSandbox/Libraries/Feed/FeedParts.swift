/// A file that belongs to an entry.
package struct FeedEnclosure: Equatable, Sendable {
  package var url: String
  package var type: String?
  package var length: Int64?

  package init(url: String, type: String? = nil, length: Int64? = nil) {
    (self.url, self.type, self.length) = (url, type, length)
  }
}

/// A picture, sound or film in Media RSS.
package struct FeedMedia: Equatable, Sendable {
  package var url: String
  package var type: String?
  package var medium: String?
  package var width: Int64?
  package var height: Int64?
  package var length: Int64?
  package var duration: Int64?
}

/// The feed from which an entry was taken.
package struct FeedSource: Equatable, Sendable {
  package var title: String?
  package var url: String?
}

/// The entry to which another entry replies.
package struct FeedReference: Equatable, Sendable {
  package var id: String?
  package var url: String?
}
