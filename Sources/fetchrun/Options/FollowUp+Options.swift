import FetchConfig
import FetchModel

extension FollowUp {
  /// For a command that was given these.
  init(_ file: ConfigOptions, _ storage: StoreOptions) {
    self.init(
      config: file.config.map(Surroundings.absolute),
      store: storage.store.map(Surroundings.absolute))
  }

  /// For a command that knows no config: the store is named where others would not find it.
  init(_ storage: StoreOptions) {
    let path = storage.path()
    self.init(store: path == StorePlace.unnamed ? nil : Surroundings.absolute(path))
  }

  /// For a daemon: whoever reads what it says is in another folder than it was started in, and need
  /// not have its environment.
  init(daemonOf config: Config, _ storage: StoreOptions) {
    let isByEnvironment =
      config.store == nil
      && ["FETCHRUN_STORE", "XDG_STATE_HOME"].contains {
        Surroundings.environment[$0]?.isEmpty == false
      }
    let store = storage.store ?? (isByEnvironment ? storage.path() : nil)
    self.init(
      config: Surroundings.absolute(config.file),
      store: store.map(Surroundings.absolute))
  }

  /// For what only reads a store: one that is read without being named goes unnamed.
  static func reading(_ words: String, _ path: String) -> String {
    let isFound = path == StorePlace.unnamed
    return FollowUp(store: isFound ? nil : Surroundings.absolute(path)).command(words)
  }
}
