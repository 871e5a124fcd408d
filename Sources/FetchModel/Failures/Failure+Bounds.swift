extension Failure {
  /// The maximum length of a message, in bytes. Such a message fills a screen.
  package static let messageBytesMax = 4 << 10
  /// The maximum number of frames in a traceback. The innermost frames are kept, because they show
  /// the place of the error; endless recursion has thousands of frames.
  package static let tracebackCountMax = 50
  /// The maximum length of a frame's text or of a file name, in bytes.
  package static let placeBytesMax = 1 << 10

  /// The failure with its message, file and traceback shortened to the limits of this file.
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
  /// Returns the text, shortened to `bytesMax` bytes with a mark at the end if it is longer.
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
