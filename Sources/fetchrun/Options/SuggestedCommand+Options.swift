import FetchConfig
import FetchModel

extension SuggestedCommand {
  /// For a command that was given these.
  init(_ file: ConfigOptions, _ storage: StoreOptions) {
    self.init(
      config: file.config.map(ProcessEnvironment.absolute),
      store: storage.store.map(ProcessEnvironment.absolute))
  }

  /// For a command that knows no config: the store is named where others would not find it.
  init(_ storage: StoreOptions) {
    let path = storage.path()
    self.init(store: path == StorePlace.unnamed ? nil : ProcessEnvironment.absolute(path))
  }

  /// For a daemon: whoever reads what it says is in another folder than it was started in, and need
  /// not have its environment.
  init(daemonOf config: Config, _ storage: StoreOptions) {
    let isByEnvironment =
      config.store == nil
      && ["FETCHRUN_STORE", "XDG_STATE_HOME"].contains {
        ProcessEnvironment.environment[$0]?.isEmpty == false
      }
    let store = storage.store ?? (isByEnvironment ? storage.path() : nil)
    self.init(
      config: ProcessEnvironment.absolute(config.file),
      store: store.map(ProcessEnvironment.absolute))
  }

  /// The sentence for a config without jobs.
  func noJobs(in config: Config) -> String {
    "\(config.file) has no jobs: `\(command("add ADDRESS"))` adds a feed, and"
      + " `\(command("add PLUGIN --option NAME=VALUE"))` any job"
  }

  /// For what only reads a store: one that is read without being named goes unnamed.
  static func reading(_ words: String, _ path: String) -> String {
    let isFound = path == StorePlace.unnamed
    return SuggestedCommand(store: isFound ? nil : ProcessEnvironment.absolute(path)).command(words)
  }
}
