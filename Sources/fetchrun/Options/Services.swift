import FetchConfig
import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import Glibc
import Logging
import Synchronization

/// The long-lived parts of a command that runs jobs.
struct Services: Sendable {
  let workers: WorkerPool
  let http: HTTPEngine
  let shelf: PluginShelf
  let policy: HTTPPolicy
  let time = RunTime.system
  private let confinement = Confinement.ofThisMachine

  /// A lost worker is in the failure of its runs, in the words of this program.
  private static let silence = Logger(label: "fetchrun.workers") { _ in SwiftLogNoOpLogHandler() }

  /// How long a command waits for another process that writes the store.
  static let storeWaitMax: Duration = .seconds(120)

  /// `sandbox` is nil where the config has a word on it: then `confine` is to be called before any
  /// plugin is read.
  static func start(
    _ network: NetworkOptions, folders: PluginFolders = folders([]), cachesManifests: Bool = true,
    sandbox: SandboxRule? = .required
  ) throws(Failure) -> Services {
    try DescriptorLimit.raise()
    guard let executable = WorkerExecutable.locate() else {
      throw Failure(
        .workerUnavailable,
        "the program fetchrun-worker is missing; install it beside fetchrun or name it in"
          + " \(WorkerExecutable.environmentName)")
    }
    let workers = WorkerPool(
      configuration: WorkerPoolConfiguration(executable: executable), logger: Self.silence)
    let services = Services(
      workers: workers, http: HTTPEngine(),
      shelf: shelf(
        workers: workers, folders: folders, cachesManifests: cachesManifests),
      policy: try policy(network))
    if let sandbox { try services.confine(sandbox) }
    return services
  }

  /// Holds workers to that rule; fails where no plugin would run by it.
  func confine(_ rule: SandboxRule) throws(Failure) {
    if let refusal = confinement.refusal(by: rule) { throw refusal }
    workers.setLockdown(rule == .required ? .require : .prefer)
  }

  /// What confines a worker, in a few words, found by starting one; fails where no plugin would run.
  func sandboxInForce() async throws(Failure) -> String {
    switch await workers.probeIsolation() {
    case .success(let report): return report.summary
    case .failure(let failure) where Confinement.isRefusal(failure): throw failure
    case .failure(let failure): return "unknown, \(failure.message)"
    }
  }

  /// Says what plugins run without.
  func warn(_ output: RunOutput) {
    if let warning = confinement.warning { output.message(warning) }
  }

  /// The stored secrets.
  static func vault(key: String?) -> SecretVault {
    let locations = ProcessEnvironment.locations
    return SecretVault(
      path: locations.secrets,
      keyPath: locations.secretsKeyOverride ?? key ?? locations.secretsKeyDefault,
      typedKey: locations.secretsKeyOverride == nil ? key.map(ProcessEnvironment.absolute) : nil)
  }

  /// Where the service has its secrets; nil where the config is not that of an installed service.
  static func serviceSecrets(config: String?) -> ServiceSecrets? {
    ServiceSecrets(
      config: config, serviceConfig: Locations.systemConfig,
      environment: ProcessEnvironment.environment, isRoot: geteuid() == 0)
  }

  /// Where plugins are looked for: in these folders, then in those of this machine.
  ///
  /// - Parameter config: the file that names them; nil where a command line does.
  static func folders(_ pluginFolders: [String], config: String? = nil) -> PluginFolders {
    PluginFolders(
      pluginFolders + ProcessEnvironment.locations.pluginFolders, configFolder: config?.folderPrefix
    )
  }

  /// Where the plugins of a config are looked for.
  static func folders(of config: Config) -> PluginFolders {
    folders(config.pluginFolders, config: config.file)
  }

  /// Reads each plugin file once, when it is first asked for: a reload takes a new one.
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

  /// Opens the store for writing. Waits for another process that writes it, and says so at once.
  ///
  /// - Parameters:
  ///   - keep: what the config asks for; nil without a config.
  ///   - waitMax: how long to wait for the other process.
  ///   - hint: what ends the message that it waits.
  static func openStore(
    _ path: String, creates: Bool = true, keep: Retention? = nil,
    waitMax: Duration = storeWaitMax, hint: String = "", _ output: RunOutput
  ) async throws(StoreError) -> any Store {
    var options = FetchStore.StoreOptions()
    options.waitMax = waitMax
    options.creates = creates
    options.retention = keep
    let store = try await StoreOpener.open(
      .file(path), options: options, clock: HostClock(),
      onWait: { holder in
        let isDaemon = ControlClient.hasDaemon(at: StateFolder(of: .file(path)).daemonSockets)
        let process = holder.map { "process \($0)" } ?? "another process"
        let who = isDaemon ? "another fetchrun serve (\(process))" : process
        output.message(
          "waiting for the store: \(who) is writing \(path); giving up after"
            + " \(waitMax.inWords)\(hint)")
      })
    // The process ends with it. To let go of it before, once it is closed, is work for nothing.
    opened.withLock { $0.append(store) }
    return store
  }

  private static let opened = Mutex<[any Store]>([])

  /// `secretsKey` is the config's word on where the key of stored secrets is. The answers
  /// of failed runs are kept as it is usual, until a config says otherwise.
  func pipeline(
    _ store: any Store, secretsKey: String? = nil, suggested: SuggestedCommand
  ) -> RunPipeline {
    RunPipeline(
      RunServices(
        store: store, workers: workers, http: http, policy: policy, time: time,
        secrets: secretAccess(key: secretsKey), suggested: suggested),
      keeping: FailureKeeping(count: Config.keptFailureCountUsual))
  }

  /// Runs of which nothing is kept.
  func rehearsal(
    ofStore path: String, secretsKey: String? = nil, lanes: LaneRules? = nil,
    suggested: SuggestedCommand
  ) -> Rehearsal {
    Rehearsal(
      store: .file(path), lanes: lanes.map { RequestLanes(rules: $0, clock: HostClock()) }
    ) { copy in
      pipeline(copy, secretsKey: secretsKey, suggested: suggested)
    }
  }

  /// The secrets of this machine.
  func secretAccess(key: String?) -> SecretAccess {
    SecretAccess(
      reading: SecretSources(
        environment: ProcessEnvironment.environment, vault: Self.vault(key: key)))
  }

  func shutdown() async {
    await workers.shutdown()
  }
}
