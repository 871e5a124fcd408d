import FetchModel
package import FetchStore
package import FetchValues

/// The paths of the data that belongs to a store but is not in the store's file or database. This
/// data includes the files of jobs, the log of reads, the web process's tokens and logins, and
/// sockets.
///
/// Two stores in one folder can share only the files of jobs. The names of all other data are made
/// from the store's `localStem`.
package struct StateFolder: Hashable, Sendable {
  private let stem: ExactText

  private init(stem: String) { self.stem = ExactText(stem) }

  package init(of store: StoreAddress) { self.init(stem: store.localStem) }

  /// The name from which the path of the daemon's socket is made: see `ControlSocketPath`.
  var socketName: String { stem.text }

  /// The name from which the path of a command's socket is made. A command has this socket while it
  /// keeps the store open to wait for its transfers.
  var transferSocketName: String { stem.text + "-transfers" }

  /// The path of the log that `ReadLog` writes.
  var readLog: String { stem.text + ".reads" }

  /// The web process's own folder, which contains its tokens, its logins and its log of reads.
  package var webFolder: String { stem.text + ".web.d" }

  /// The path of the file with the web process's tokens and logins.
  package var webAccess: String { webFolder + "/web.json" }

  /// The folder that contains the paths of this type, except the paths of sockets: see
  /// `ControlSocketPath`.
  package var folder: String { stem.text.hasSlash ? stem.text.folderPrefix : "./" }

  /// The parent folder of the jobs' default folders for files.
  package var filesFolder: String { folder + "files" }

  /// Returns the default folder of a job's files.
  package func files(of job: JobName) -> String {
    FilesSettings.usualRoot(store: stem.text, job: job)
  }
}
