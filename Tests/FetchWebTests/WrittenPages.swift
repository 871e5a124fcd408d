import FetchWeb
import Foundation
import Testing

/// A suite that writes the sample pages to the folder in `FETCHRUN_PAGES`, so that you can view the
/// pages in a browser. The command is `FETCHRUN_PAGES=/tmp/pages swift test --filter WrittenPages`.
@Suite struct WrittenPages {
  static let folder = ProcessInfo.processInfo.environment["FETCHRUN_PAGES"]

  @Test("the sample pages are written for a browser", .enabled(if: folder != nil))
  func written() throws {
    let folder = URL(filePath: try #require(Self.folder))
    let assets = folder.appending(path: "assets")
    try FileManager.default.createDirectory(at: assets, withIntermediateDirectories: true)
    for file in Assets.all {
      try Data(file.bytes).write(to: assets.appending(path: file.name))
    }
    for size in SamplePages.Size.allCases {
      for (name, html) in SamplePages(size: size).all {
        try Data(html.bytes).write(to: folder.appending(path: "\(name)-\(size.rawValue).html"))
      }
    }
  }
}
