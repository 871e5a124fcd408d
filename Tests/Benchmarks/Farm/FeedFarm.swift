import Foundation

/// The generated feeds as files for a web server, each with its compressed form (gzip) beside it.
struct FeedFarm {
  let folder: URL
  private(set) var feeds: [FarmFeed]
  private(set) var bytes: [Int]
  private var round = 0

  /// Writes `count` feeds into `folder`.
  init(count: Int, folder: URL) throws {
    self.folder = folder
    feeds = (0..<count).map { FarmFeed(number: $0) }
    bytes = Array(repeating: 0, count: count)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write(Array(0..<count))
  }

  /// Adds one to three new items to one in ten of the first `count` feeds; each call picks other
  /// feeds. Returns the number of new items by the number of the feed.
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

  /// Returns nginx's ETag of the gzip form: modification time and length in hexadecimal.
  func entityTag(of number: Int) throws -> String {
    var facts = stat()
    guard stat(file(of: number).path + ".gz", &facts) == 0 else {
      throw BenchmarkError("feed \(number) has no gzip form")
    }
    return "\"\(String(facts.st_mtim.tv_sec, radix: 16))-\(String(facts.st_size, radix: 16))\""
  }

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
  }
}
