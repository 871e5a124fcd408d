import FetchValues

/// The fuzz target for whole documents, which `feed.parse` reads.
enum FeedTarget {
  static func run(_ input: UnsafeRawBufferPointer) {
    let options: Value = ["url": "https://feeds.test/dir/feed.xml"]
    LibraryCalls.call("feed.parse", [.bytes(Array(input)), options])
  }
}
