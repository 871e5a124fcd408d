import FetchConfig
import FetchModel
import FetchStore

extension SuggestedCommand {
  /// Creates suggestions that repeat the options for the config and the store.
  init(_ file: ConfigOptions, _ storage: StoreOptions) {
    self.init(
      config: file.config.map(ProcessEnvironment.absolute),
      store: storage.store.map(ProcessEnvironment.absoluteStore))
  }

  /// Creates suggestions for a command without a config. The suggested commands name the store if
  /// they would otherwise use another store.
  init(_ storage: StoreOptions) {
    let store = storage.address()
    self.init(
      store: store == StorePlace.unnamed ? nil : ProcessEnvironment.absoluteStore(store.path))
  }

  /// Creates suggestions for the log of a daemon, with absolute paths. The user may type the
  /// suggested commands in another folder, and without the daemon's environment variables.
  init(daemonOf config: Config, _ storage: StoreOptions) {
    let isByEnvironment =
      config.store == nil
      && ["FETCHRUN_STORE", "XDG_STATE_HOME"].contains {
        ProcessEnvironment.environment[$0]?.isEmpty == false
      }
    let store = storage.store ?? (isByEnvironment ? storage.address().path : nil)
    self.init(
      config: ProcessEnvironment.absolute(config.file),
      store: store.map(ProcessEnvironment.absoluteStore))
  }

  func noJobs(in config: Config) -> String {
    "\(config.file) has no jobs: `\(command("add ADDRESS"))` adds a feed, and"
      + " `\(command("add PLUGIN --option NAME=VALUE"))` adds any job"
  }

  /// Returns a command that only reads a store. The command names the store unless the command uses
  /// this store anyway.
  static func reading(_ words: String, _ store: StoreAddress) -> String {
    let isFound = store == StorePlace.unnamed
    return SuggestedCommand(store: isFound ? nil : ProcessEnvironment.absoluteStore(store.path))
      .command(words)
  }
}
