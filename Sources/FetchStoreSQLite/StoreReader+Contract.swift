package import FetchStore
package import FetchValues

extension StoreReader: ReadableStore {
  package var address: StoreAddress { .file(path) }

  package func abandoned() throws(StoreError) -> [JobName] { try abandonedJobs() }
}
