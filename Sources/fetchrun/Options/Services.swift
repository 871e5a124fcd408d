import FetchConfig
import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import Glibc
import Synchronization

/// The services of a command that reads or runs plugins.
struct Services: Sendable {
  let workers: WorkerPool
  let http: HTTPEngine
  let shelf: PluginShelf
  let policy: HTTPPolicy
  let time = RunTime.system
  private let confinement = Confinement.ofThisMachine

  /// The default maximum time for which a command waits for another process that writes the store.
  static let storeWaitMax: Duration = .seconds(120)

  /// Starts the services. If `sandbox` is nil, the caller must call `confine` with the sandbox rule
  /// before any plugin is read.
  static func start(
    _ network: NetworkOptions, folders: PluginFolders = folders([]), cachesManifests: Bool = true,
    sandbox: SandboxRule? = .required
  ) throws(Failure) -> Services {
    try DescriptorLimit.raise()
    guard let executable = WorkerExecutable.locate() else {
      throw Failure(
        .workerUnavailable,
        "the program fetchrun-worker is missing; install it beside fetchrun or set"
          + " \(WorkerExecutable.environmentName) to its path")
    }
    let workers = WorkerPool(configuration: WorkerPoolConfiguration(executable: executable))
    let services = Services(
      workers: workers, http: HTTPEngine(),
      shelf: shelf(
        workers: workers, folders: folders, cachesManifests: cachesManifests),
      policy: try policy(network))
    if let sandbox { try services.confine(sandbox) }
    return services
  }

  /// Sets the sandbox rule for all workers. Throws a failure if no plugin could run under the rule.
  func confine(_ rule: SandboxRule) throws(Failure) {
    if let refusal = confinement.refusal(by: rule) { throw refusal }
    workers.setLockdown(rule == .required ? .require : .prefer)
  }

  /// Starts a worker and returns a short description of how the worker is confined. Throws a
  /// failure if the sandbox rule forbids all plugins. After any other failure, the description is
  /// `unknown` with the failure's message.
  func sandboxInForce() async throws(Failure) -> String {
    switch await workers.probeIsolation() {
    case .success(let report): return report.summary
    case .failure(let failure) where Confinement.isRefusal(failure): throw failure
    case .failure(let failure): return "unknown, \(failure.message)"
    }
  }

  /// Prints a warning if this machine's kernel cannot confine plugins fully.
  func warn(_ output: RunOutput) {
    if let warning = confinement.warning { output.message(warning) }
  }

  static func vault(key: String?) -> SecretVault {
    let locations = ProcessEnvironment.locations
    return SecretVault(
      path: locations.secrets,
      keyPath: locations.secretsKeyOverride ?? key ?? locations.secretsKeyDefault,
      typedKey: locations.secretsKeyOverride == nil ? key.map(ProcessEnvironment.absolute) : nil)
  }

  /// Returns the facts about the installed service, for a warning that it cannot read root's stored
  /// secrets. Returns nil if no warning is needed.
  static func serviceSecrets(config: String?) -> ServiceSecrets? {
    ServiceSecrets(
      config: config, serviceConfig: Locations.systemConfig,
      environment: ProcessEnvironment.environment, isRoot: geteuid() == 0)
  }

  /// Returns the search path of plugins: the given folders, then the folders of this machine.
  ///
  /// - Parameter config: the config that names the plugins. A name such as `rss.lua` may be a file
  ///   beside this config. Without a config, it may be a file in the working folder.
  static func folders(_ pluginFolders: [String], config: String? = nil) -> PluginFolders {
    PluginFolders(
      pluginFolders + ProcessEnvironment.locations.pluginFolders, configFolder: config?.folderPrefix
    )
  }

  static func folders(of config: Config) -> PluginFolders {
    folders(config.pluginFolders, config: config.file)
  }

  /// Returns a shelf that reads each plugin file once, on first use.
  static func shelf(
    workers: WorkerPool, folders: PluginFolders, cachesManifests: Bool = true
  ) -> PluginShelf {
    guard cachesManifests, let executable = WorkerExecutable.locate() else {
      return PluginShelf(folders: folders, workers: workers)
    }
    let cache = ManifestCache(
      folder: ProcessEnvironment.locations.cacheFolder + "/manifests", worker: executable)
    return PluginShelf(folders: folders, workers: workers, cache: cache)
  }

  private static func policy(_ network: NetworkOptions) throws(Failure) -> HTTPPolicy {
    var policy = HTTPPolicy(version: Product.version)
    policy.proxy = try ProxySettings(environment: ProcessEnvironment.environment)
    policy.caFile = network.caFile
    policy.verifiesTLS = !network.insecure
    return policy
  }

  /// Opens the store for writing. If another process writes the store, waits. If `waitMax` is not
  /// zero, prints a message about the wait.
  ///
  /// - Parameters:
  ///   - keep: the config's retention; nil to use the maximum sizes of the last config that used
  ///     the store.
  ///   - waitMax: the maximum time to wait for the other process.
  ///   - hint: the end of the message about waiting.
  static func openStore(
    _ address: StoreAddress, creates: Bool = true, keep: Retention? = nil,
    waitMax: Duration = storeWaitMax, hint: String = "", _ output: RunOutput
  ) async throws(StoreError) -> any Store {
    var options = FetchStore.StoreOptions()
    options.waitMax = waitMax
    options.creates = creates
    options.retention = keep
    let sockets = StateFolder(of: address).daemonSockets
    let store = try await StoreOpener.open(
      address, options: options, clock: HostClock(),
      onWait: { holder in
        let isDaemon = ControlClient.hasDaemon(at: sockets)
        let process = holder.map { "process \($0)" } ?? "another process"
        let who = isDaemon ? "a daemon (\(process))" : process
        // A daemon does not end by itself.
        let advice =
          isDaemon && hint.isEmpty ? "stop it, for example with `systemctl stop fetchrun`; " : ""
        output.message(
          "waiting for the store: \(who) is writing \(address); \(advice)giving up after"
            + " \(waitMax.inWords)\(hint)")
      })
    // The store is kept until the process ends, since releasing a closed store earlier would be
    // needless work.
    opened.withLock { $0.append(store) }
    return store
  }

  private static let opened = Mutex<[any Store]>([])

  /// Returns a pipeline that keeps the answers of each job's last failed runs. Their number is the
  /// default until a config sets another number.
  ///
  /// - Parameter secretsKey: the path of the key of the stored secrets, as the config sets it.
  func pipeline(
    _ store: any Store, secretsKey: String? = nil, suggested: SuggestedCommand
  ) -> RunPipeline {
    RunPipeline(
      RunServices(
        store: store, workers: workers, http: http, policy: policy, time: time,
        secrets: secretAccess(key: secretsKey), suggested: suggested),
      keeping: FailureKeeping(count: Config.keptFailureCountUsual))
  }

  /// Returns a rehearsal, which runs jobs without storing anything in the user's store.
  func rehearsal(
    ofStore address: StoreAddress, secretsKey: String? = nil, lanes: LaneRules? = nil,
    suggested: SuggestedCommand
  ) -> Rehearsal {
    Rehearsal(
      store: address, lanes: lanes.map { RequestLanes(rules: $0, clock: HostClock()) }
    ) { copy in
      pipeline(copy, secretsKey: secretsKey, suggested: suggested)
    }
  }

  func secretAccess(key: String?) -> SecretAccess {
    SecretAccess(
      reading: SecretSources(
        environment: ProcessEnvironment.environment, vault: Self.vault(key: key)))
  }

  func shutdown() async {
    await workers.shutdown()
  }
}
