/// The last seen state of each path.
struct FileChanges {
  private let paths: [String]
  private var stamps: [FileStamp]
  private let watches: FileWatches

  init(paths: [String], stamps: [FileStamp], watches: FileWatches) {
    self.paths = paths
    self.stamps = stamps
    self.watches = watches
  }

  /// Returns the paths that have changed since the last call, and stores their new state.
  mutating func take() -> [String] {
    // Renews the watches first, so that a change after the comparison causes an event.
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
