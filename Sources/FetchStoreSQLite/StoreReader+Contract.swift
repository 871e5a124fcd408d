package import FetchStore

extension StoreReader: ReadableStore {
  package var address: StoreAddress { .file(path) }

  package func abandoned() throws(StoreError) -> [String] { try abandonedJobs() }
}
