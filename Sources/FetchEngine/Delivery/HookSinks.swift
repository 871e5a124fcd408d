package import FetchHost
package import FetchModel
package import FetchValues

/// A factory for the sinks of hooks.
package struct HookSinks: Sendable {
  private let pipeline: RunPipeline
  private let environment: [String: String]
  private let secretVariables: @Sendable () -> Set<String>
  private let jobs: @Sendable (JobName) -> Job?
  private let events: EventSink
  private let commandOutput: (@Sendable (ArraySlice<UInt8>) -> Void)?

  /// - Parameters:
  ///   - environment: the environment variables, some of which commands receive: see
  ///     `CommandEnvironment`.
  ///   - secretVariables: returns the names of the environment variables that contain secrets.
  ///     Commands do not receive these variables.
  ///   - jobs: returns the job with the given name, so that its secrets are redacted; nil for an
  ///     unknown job.
  ///   - commandOutput: receives the output of commands; nil if the output is not shown.
  ///   - events: receives the results of deliveries, and the lines that hook files log.
  package init(
    pipeline: RunPipeline, environment: [String: String],
    secretVariables: @escaping @Sendable () -> Set<String>,
    jobs: @escaping @Sendable (JobName) -> Job? = { _ in nil },
    commandOutput: (@Sendable (ArraySlice<UInt8>) -> Void)? = nil,
    events: EventSink = .none
  ) {
    self.pipeline = pipeline
    self.environment = environment
    self.secretVariables = secretVariables
    self.jobs = jobs
    self.commandOutput = commandOutput
    self.events = events
  }

  /// Returns the service that delivers through these sinks, to the hooks of the pipeline.
  func service(
    clock: any Clock<Duration> = HostClock(), metrics: DaemonMetrics = DaemonMetrics()
  ) -> DeliveryService {
    let services = pipeline.services
    var setup = DeliveryService.Setup(
      store: services.store, hooks: pipeline.hooks, time: services.time, sinks: sink(of:))
    setup.clock = clock
    setup.events = events
    setup.metrics = metrics
    setup.suggested = services.suggested
    return DeliveryService(setup)
  }

  /// Returns the redactor for the secrets of all jobs in the batch.
  private func redactor(of batch: DeliveryBatch) async -> Redactor {
    var redactor = Redactor()
    for name in Set(batch.deliveries.map(\.job)) {
      guard let secrets = jobs(name)?.secrets(pipeline.services.secrets) else { continue }
      await secrets.learn()
      redactor.add(secrets.redactor)
    }
    return redactor
  }

  package func sink(of hook: HookConfig) -> any DeliverySink {
    switch hook.sink {
    case .webhook(let settings):
      var policy = pipeline.services.settings.policy
      policy.cooldowns = pipeline.services.settings.cooldowns
      return WebhookSink(
        settings, transport: pipeline.services.http, policy: policy,
        secrets: pipeline.services.secrets,
        now: pipeline.services.time.now)
    case .command(let settings):
      let environment = CommandEnvironment.short(
        environment, adding: settings.variables, without: secretVariables())
      return CommandSink(
        settings, environment: environment, redactor: redactor(of:), listener: commandOutput)
    case .file(let settings):
      return FeedFileSink(settings, hook: hook.name, now: pipeline.services.time.now)
    case .email(let settings):
      return EmailSink(
        settings, policy: pipeline.services.settings.policy, secrets: pipeline.services.secrets,
        now: pipeline.services.time.now)
    case .lua(let settings):
      guard let hook = pipeline.hooks.luaHook(named: hook.name) else {
        return RefusingSink("the hook file \(settings.file) was not read")
      }
      return LuaSink(hook, services: pipeline.services, events: events)
    }
  }
}
