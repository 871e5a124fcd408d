extension Failure {
  /// The longest message; it fills a screen.
  package static let messageBytesMax = 4 << 10
  /// The most frames. The innermost show the place; runaway recursion has thousands.
  package static let tracebackCountMax = 50
  /// The longest frame or file name.
  package static let placeBytesMax = 1 << 10

  /// The failure with its message, file and traceback shortened to these limits.
  package var bounded: Failure {
    var failure = self
    failure.message = message.bounded(to: Self.messageBytesMax)
    failure.file = file?.bounded(to: Self.placeBytesMax)
    failure.traceback = traceback.prefix(Self.tracebackCountMax).map {
      $0.bounded(to: Self.placeBytesMax)
    }
    return failure
  }
}

extension String {
  /// Returns the text, shortened with a mark if it is too long.
  package func bounded(to bytesMax: Int) -> String {
    guard utf8.count > bytesMax else { return self }
    let mark = "…"
    var end = utf8.index(utf8.startIndex, offsetBy: max(0, bytesMax - mark.utf8.count))
    while end.samePosition(in: unicodeScalars) == nil, end > startIndex {
      end = utf8.index(before: end)
    }
    return self[..<end] + mark
  }
}
