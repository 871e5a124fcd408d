/// What was last seen of each path.
struct FileChanges {
  private let paths: [String]
  private var stamps: [FileStamp]
  private let watches: FileWatches

  init(paths: [String], stamps: [FileStamp], watches: FileWatches) {
    self.paths = paths
    self.stamps = stamps
    self.watches = watches
  }

  /// The paths that are not what they were.
  mutating func take() -> [String] {
    // First, so that what changes after the look is an event.
    watches.renew()
    var changed: [String] = []
    for (index, path) in paths.enumerated() {
      let stamp = FileStamp(path)
      if stamp != stamps[index] { changed.append(path) }
      stamps[index] = stamp
    }
    return changed
  }
}
