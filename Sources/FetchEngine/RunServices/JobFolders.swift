package import FetchHost
import FetchModel
import FetchValues

/// The folders of a store's jobs, and the threads that wait for disk operations.
package struct JobFolders: Sendable {
  /// The roots of the folders. All runs and transfers share the roots and their quotas.
  package let roots = FileRoots()
  package let threads = FileThreads()
  private let state: StateFolder

  package init(_ state: StateFolder) { self.state = state }

  /// Returns the path of a job's own folder, even if it does not exist.
  package func path(of job: Job) -> String {
    job.files.root ?? state.files(of: job.name)
  }

  /// Returns a job's own folder. Creates the folder if it is missing. Blocks the thread during disk
  /// operations.
  package func root(of job: Job) throws(FileFault) -> FileRoot {
    try roots.root(path(of: job), quota: job.files.quota)
  }
}
