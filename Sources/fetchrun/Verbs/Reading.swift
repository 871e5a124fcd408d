import FetchStore

/// What all verbs share that only read the store.
enum Reading {
  static func from(
    _ storage: StoreOptions, _ output: RunOutput, _ body: (StoreReader) throws -> Void
  ) throws {
    do { try body(try StoreReader(at: storage.path())) } catch let error as StoreError {
      output.message(error.message)
      throw ExitStatus.runFailed
    }
  }
}
