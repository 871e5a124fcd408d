package import FetchHost
import FetchModel
import FetchValues

/// The folders of a store's jobs, and the threads that wait for the disk.
package struct JobFolders: Sendable {
  /// Shared by all runs and transfers, so that they share the quotas.
  package let roots = FileRoots()
  package let threads = FileThreads()
  private let state: StateFolder

  package init(_ state: StateFolder) { self.state = state }

  /// Returns the path of a job's own folder, even if it does not exist.
  package func path(of job: Job) -> String {
    job.files.root ?? state.files(of: job.name)
  }

  /// Returns a job's own folder, created if missing. Waits for the disk.
  package func root(of job: Job) throws(FileFault) -> FileRoot {
    try roots.root(path(of: job), quota: job.files.quota)
  }
}
