import FetchModel

/// The keys of `file`.
enum FileSinkKey: String, ConfigKey {
  case path
  case format
  case items
  case title
  case url

  var entry: ConfigEntry {
    switch self {
    case .path: ConfigEntry(.path, "the file", isRequired: true)
    case .format:
      ConfigEntry(
        .choice(FeedFileSettings.Format.allCases.map(\.rawValue)),
        "lines are appended, a feed is written anew", default: "jsonl")
    case .items:
      ConfigEntry(
        .count(FeedFileSettings.itemCountAllowed), "items of a feed: the newest", default: "50")
    case .title: ConfigEntry(.text, "title of a feed", default: "the hook's name")
    case .url: ConfigEntry(.text, "where a feed's readers find it")
    }
  }
}
