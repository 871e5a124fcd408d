import FeedConformance
import FetchTestSupport
import Foundation

/// The output of the feed parser in the form that feeds/score.py reads.
enum FeedRun {
  static func cases(_ folder: ConformanceFolder) throws {
    FileHandle.standardOutput.write(
      try FeedConformance.output(folder: URL(filePath: folder.path).appending(path: "feeds")))
  }
}
