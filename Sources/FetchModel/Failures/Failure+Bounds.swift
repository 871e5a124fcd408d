extension Failure {
  /// A sentence of this length fills a screen.
  package static let messageBytesMax = 4 << 10
  /// The innermost frames say where it happened; a recursion that ran away has thousands.
  package static let tracebackCountMax = 50
  /// One frame of a traceback, or the name of a file.
  package static let placeBytesMax = 1 << 10

  /// The same failure with a message, a file and a traceback of bounded length.
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
  /// This text, or as much of it as fits before a mark that it has been cut.
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
