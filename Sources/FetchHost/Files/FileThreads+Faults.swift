extension FileThreads {
  /// Does something that may wait and may fail; see `run`.
  package func attempt<T: Sendable>(
    _ body: @escaping @Sendable () throws(FileFault) -> T
  ) async throws(FileFault) -> T {
    try await run { _ in Result { () throws(FileFault) in try body() } }.get()
  }

  /// The same for what takes long, and is told whether it should go on.
  func attempt<T: Sendable>(
    _ body: @escaping @Sendable (_ isCancelled: () -> Bool) throws(FileFault) -> T
  ) async throws(FileFault) -> T {
    try await run { isCancelled in
      Result { () throws(FileFault) in try body(isCancelled) }
    }.get()
  }
}
