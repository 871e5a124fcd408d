package import FetchHost
import FetchModel
import FetchValues

/// Where the jobs of a store have their files, and the threads that wait for the disk.
package struct JobFolders: Sendable {
  /// Shared by all runs and transfers, for the sake of the quotas.
  package let roots = FileRoots()
  package let threads = FileThreads()
  private let state: StateFolder

  package init(_ state: StateFolder) { self.state = state }

  /// The path of a job's own folder, whether it is there or not.
  package func path(of job: Job) -> String {
    job.files.root ?? state.files(of: job.name)
  }

  /// A job's own folder, made where it is not there. Waits for the disk.
  package func root(of job: Job) throws(FileFault) -> FileRoot {
    try roots.root(path(of: job), quota: job.files.quota)
  }
}
