import FetchModel
package import FetchStore
import FetchValues

/// This machine's folder for a store, apart from the store itself: the files of jobs with the parts
/// of transfers, the log of reads, and the sockets of processes that have the store open.
///
/// No other machine sees it. For a store in a file it is beside that file. The names begin with the
/// file's name, so that two stores in one folder do not collide, except for the files of jobs.
package struct StateFolder: Hashable, Sendable {
  /// The beginning of the names.
  private let stem: ExactText

  private init(stem: String) { self.stem = ExactText(stem) }

  package init(of store: StoreAddress) { self.init(stem: store.path) }

  /// The name from which the path of the daemon's socket is made: see `ControlSocketPath`.
  var socketName: String { stem.text }

  /// The same for a command that has the store open until its transfers have ended; that socket is
  /// not a daemon's.
  var transferSocketName: String { stem.text + "-transfers" }

  /// The file of `ReadLog`.
  var readLog: String { stem.text + ".reads" }

  /// Returns the usual folder of a job's files.
  package func files(of job: String) -> String {
    FilesSettings.usualRoot(store: stem.text, job: job)
  }
}
