package import FetchModel
package import FetchValues

/// The name of a feed in its address: the name of a job or `all`, and an ending for the format.
package struct FeedName: Equatable, Sendable {
  /// The job whose items the feed has; nil for a feed with the items of all jobs.
  package var job: JobName?
  package var format: FeedFileSettings.Format

  package init(job: JobName?, _ format: FeedFileSettings.Format) {
    self.job = job
    self.format = format
  }

  private static let endings: [(ending: String, format: FeedFileSettings.Format)] = [
    (".atom", .atom), (".json", .jsonfeed), (".rss", .rss),
  ]

  /// Reads a name such as `news.atom`. Returns nil if the name has no known ending, or has nothing
  /// before the ending.
  package init?(_ text: String) {
    guard let (ending, format) = Self.endings.first(where: { text.utf8.hasEnding($0.ending) }),
      text.utf8.count > ending.utf8.count
    else { return nil }
    // The ending is removed as bytes, because Swift may combine the full stop with the character
    // before it.
    let stem = String(decoding: text.utf8.dropLast(ending.utf8.count), as: UTF8.self)
    self.init(job: stem.hasSameBytes(as: "all") ? nil : JobName(stem), format)
  }

  /// The last segment of the feed's address, such as `news.atom`.
  package var text: String {
    let ending = Self.endings.first { $0.format == format }?.ending ?? ""
    return (job?.text ?? "all") + ending
  }

  /// The media type of the feed.
  package var type: String {
    switch format {
    case .atom: "application/atom+xml; charset=utf-8"
    case .rss: "application/rss+xml; charset=utf-8"
    case .jsonfeed: "application/feed+json; charset=utf-8"
    case .jsonl: "application/x-ndjson"
    }
  }

  /// Returns the entity tag of the feed with the changes up to the given sequence number.
  package func tag(_ sequence: Int64) -> String { "\"\(sequence)-\(format.rawValue)\"" }

  /// Returns the sequence number of the first valid tag of this format in `If-None-Match`; nil if
  /// there is none.
  package func sequence(inTags values: [String]) -> Int64? {
    for text in values.joined(separator: ",").split(separator: ",") {
      var tag = Substring(text.trimmingHTTPSpace)
      if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
      guard tag.hasPrefix("\""), tag.hasSuffix("-\(format.rawValue)\"") else { continue }
      let digits = tag.dropFirst().prefix { $0 != "-" }
      guard let number = Int64(digits), number >= 0, self.tag(number) == tag else { continue }
      return number
    }
    return nil
  }
}

extension String.UTF8View {
  fileprivate func hasEnding(_ ending: String) -> Bool {
    count >= ending.utf8.count && suffix(ending.utf8.count).elementsEqual(ending.utf8)
  }
}
