import Foundation

/// The generated feeds as files for a web server, each with its compressed form (gzip) beside it.
struct FeedFarm {
  let folder: URL
  private(set) var feeds: [FarmFeed]
  private(set) var bytes: [Int]
  private var round = 0

  /// The date of the files that `init` or the last round of changes wrote, in seconds since 1970.
  /// Each round of changes adds an hour, so a condition with this date is exact although HTTP dates
  /// have whole seconds.
  var date: Int { Self.firstDate + round * 3_600 }
  private static let firstDate = FarmFeed.firstDate + 200 * 86_400

  /// Writes `count` feeds into `folder`.
  init(count: Int, folder: URL) throws {
    self.folder = folder
    feeds = (0..<count).map { FarmFeed(number: $0) }
    bytes = Array(repeating: 0, count: count)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write(Array(0..<count))
  }

  /// Adds one to three new items to one in ten of the first `count` feeds. Each call selects other
  /// feeds than the previous call. Returns the number of new items by the number of the feed.
  mutating func change(first count: Int) throws -> [Int: Int] {
    round += 1
    var added: [Int: Int] = [:]
    for number in 0..<count where number % 10 == (round * 3) % 10 {
      added[number] = feeds[number].grow(round: round)
    }
    try write(added.keys.sorted())
    return added
  }

  func file(of number: Int) -> URL { folder.appending(path: feeds[number].path) }

  private mutating func write(_ numbers: [Int]) throws {
    for number in numbers {
      let document = FeedDocument.whole(feeds[number], items: feeds[number].items())
      bytes[number] = document.count
      try Data(document).write(to: file(of: number))
    }
    for start in stride(from: 0, to: numbers.count, by: 500) {
      let some = numbers[start..<min(start + 500, numbers.count)]
      let gzip = try ChildProcess(
        "gzip", ["-6", "-n", "-k", "-f"] + some.map { file(of: $0).path })
      try gzip.wait().check("gzip")
    }
    for path in numbers.map({ file(of: $0).path }).flatMap({ [$0, $0 + ".gz"] }) {
      let time = timespec(tv_sec: date, tv_nsec: 0)
      guard utimensat(AT_FDCWD, path, [time, time], 0) == 0 else {
        throw BenchmarkError("cannot set the date of \(path)")
      }
    }
  }
}
