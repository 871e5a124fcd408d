import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// The messages about a store that was last used with another config. Jobs and hooks with the same
/// name in both configs share their data.
enum SharedStore {
  /// Records in the store that this config uses the store from now on. Prints a warning if the
  /// store was last used with another config.
  ///
  /// - Parameter isNamed: whether the command line names the store, which overrides the config.
  static func use(
    _ store: any Store, _ config: Config, isNamed: Bool, _ output: RunOutput
  ) async throws(StoreError) {
    guard let earlier = try await store.use(config: config.file) else { return }
    warn(earlier, store: store.address, config: config.file, isNamed: isNamed, output)
  }

  /// Prints a warning if the store was last used with another config. Unlike `use`, it records
  /// nothing in the store. Ignores an unreadable store.
  static func warn(store: StoreAddress, config: String, isNamed: Bool, _ output: RunOutput) async {
    guard let earlier = await earlierConfig(store: store, config: config) else { return }
    warn(earlier, store: store, config: config, isNamed: isNamed, output)
  }

  /// Prints a warning if the daemon of the store serves the jobs of another config. The daemon's
  /// config is the config that last used the store.
  static func warnOfDaemon(
    store: StoreAddress, config: String, isNamed: Bool, _ output: RunOutput
  ) async {
    guard let earlier = await earlierConfig(store: store, config: config) else { return }
    output.warning(
      daemon(of: earlier, store: store) + ", not those of \(ProcessEnvironment.absolute(config)); "
        + "to keep the configs apart, \(separation(config, isNamed: isNamed))")
  }

  /// Returns a message that refuses to run jobs because the daemon of the store serves another
  /// config. Returns nil if the daemon serves this config, or if the store cannot be read.
  static func refusalOfDaemon(store: StoreAddress, config: String, isNamed: Bool) async -> String? {
    guard let earlier = await earlierConfig(store: store, config: config) else { return nil }
    return daemon(of: earlier, store: store)
      + ", not those of \(ProcessEnvironment.absolute(config)), so nothing ran: to keep the configs "
      + "apart, \(separation(config, isNamed: isNamed)); to run the daemon's jobs, add "
      + "--config \(ShellWord.quoted(earlier.path))"
  }

  /// Returns advice if the daemon does not know a job although the config has all the named jobs;
  /// otherwise nil.
  static func advice(
    about end: ControlEnd, _ jobs: [JobName], in config: () -> Config?
  ) -> String? {
    guard end.code == .unknownJob, !jobs.isEmpty, let config = config() else { return nil }
    let known = Set(config.jobs.map(\.name))
    guard jobs.allSatisfy(known.contains) else { return nil }
    return "\(config.file) has this job, but the daemon has not read the file since then: send the "
      + "daemon SIGHUP (`systemctl reload fetchrun` for the service), or use `fetchrun serve --watch`"
  }

  private static func earlierConfig(store: StoreAddress, config: String) async -> EarlierConfig? {
    guard let reader = try? await StoreOpener.read(store) else { return nil }
    return try? await reader.earlierConfig(than: config)
  }

  private static func daemon(of earlier: EarlierConfig, store: StoreAddress) -> String {
    "the daemon on the store \(store) serves the jobs of \(earlier.path)"
  }

  private static func warn(
    _ earlier: EarlierConfig, store: StoreAddress, config: String, isNamed: Bool,
    _ output: RunOutput
  ) {
    let config = ProcessEnvironment.absolute(config)
    let count = earlier.waitingCount
    let waiting =
      count == 0
      ? ""
      : "; \(counted(count, "notification")) of \(earlier.path) \(count == 1 ? "waits" : "wait")"
        + " until that config uses the store again"
    output.warning(
      "the store \(store) was last used with \(earlier.path), not with \(config): jobs and hooks with"
        + " the same name share their data\(waiting); to keep the configs apart, "
        + separation(config, isNamed: isNamed))
  }

  private static func separation(_ config: String, isNamed: Bool) -> String {
    let config = ProcessEnvironment.absolute(config)
    return isNamed
      ? "name another store with `--store FILE`"
      : "write `store: \(storeName(config))` in \(config)"
  }

  /// Returns the name of a store's file beside the config, such as `fetchrun.sqlite` for
  /// `fetchrun.yaml`.
  private static func storeName(_ config: String) -> String {
    let name = config.lastName
    let stem = name.split(separator: ".", maxSplits: 1).first.map(String.init) ?? name
    let isPlain = stem.utf8.allSatisfy { ByteSet.unreserved.contains($0) }
    return (isPlain && !stem.isEmpty ? stem : "fetchrun") + ".sqlite"
  }
}
