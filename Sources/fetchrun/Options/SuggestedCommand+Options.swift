import FetchConfig
import FetchModel

extension SuggestedCommand {
  /// Creates suggestions that repeat these options.
  init(_ file: ConfigOptions, _ storage: StoreOptions) {
    self.init(
      config: file.config.map(ProcessEnvironment.absolute),
      store: storage.store.map(ProcessEnvironment.absolute))
  }

  /// Creates suggestions for a command without a config. They name the store if other commands
  /// would not find it.
  init(_ storage: StoreOptions) {
    let path = storage.path()
    self.init(store: path == StorePlace.unnamed ? nil : ProcessEnvironment.absolute(path))
  }

  /// Creates suggestions for a daemon, whose log is read in other folders and without its
  /// environment.
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

  /// Returns the message for a config without jobs.
  func noJobs(in config: Config) -> String {
    "\(config.file) has no jobs: `\(command("add ADDRESS"))` adds a feed, and"
      + " `\(command("add PLUGIN --option NAME=VALUE"))` any job"
  }

  /// Returns a command that only reads a store. It names the store unless it is the default one.
  static func reading(_ words: String, _ path: String) -> String {
    let isFound = path == StorePlace.unnamed
    return SuggestedCommand(store: isFound ? nil : ProcessEnvironment.absolute(path)).command(words)
  }
}
