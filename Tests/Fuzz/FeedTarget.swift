import FetchValues

/// Whole documents to `feed.parse`.
enum FeedTarget {
  static func run(_ input: UnsafeRawBufferPointer) {
    let options: Value = ["url": "https://feeds.test/dir/feed.xml"]
    LibraryCalls.call("feed.parse", [.bytes(Array(input)), options])
  }
}
