import FetchHost
import FetchModel
import FetchValues
import Synchronization

/// The host's side of one call of a hook. It handles the call's requests and items.
final class HookHost: HostCallHandler {
  private let session: HTTPSession
  private let secrets: RunSecrets?
  private let items: HookItems?
  private let now: @Sendable () -> Timestamp
  /// The retry time that the hook itself has requested; nil if the hook has requested none.
  private let askedRetry = Mutex<Timestamp?>(nil)

  init(_ call: HookCall, _ services: RunServices) {
    let hook = call.hook
    secrets =
      hook.secretSources.isEmpty
      ? nil
      : RunSecrets(
        grants: hook.grant.secrets, sources: hook.secretSources, access: services.secrets,
        clear: hook.options.textsSet(over: hook.file.manifest.options))
    items = call.items
    now = services.time.now
    var policy = services.settings.policy
    policy.cooldowns = call.isForced ? nil : services.settings.cooldowns
    session = HTTPSession(
      transport: services.http, grant: hook.grant, policy: policy, validators: [:],
      deadline: .now + hook.limits.window,
      waits: TurnWaits(max: hook.limits.waiting, lanes: policy.lanes), limits: hook.limits,
      secrets: secrets,
      clock: services.time.clock, now: services.time.now)
  }

  /// The waits that do not count toward the call's window (its time limit).
  var waits: TurnWaits { session.waits }

  /// Prepares the redactor with the secrets that cost nothing to read, and with those that other
  /// runs have read.
  func learnSecrets() async { await secrets?.learn() }

  var redactor: Redactor { session.redactor }
  var traffic: HookUsage { HookUsage(session) }
  var postponedUntil: Timestamp? { session.postponedUntil }

  /// The latest of the retry times that the hook and the servers requested; nil if they requested
  /// none.
  var retryAfter: Timestamp? {
    let asked = askedRetry.withLock { $0 }
    return (session.retryAfters.map(\.until) + (asked.map { [$0] } ?? [])).max()
  }

  /// The maximum retry delay in seconds. With this limit, no number in a hook file can stop
  /// deliveries permanently.
  private static let retrySecondsMax = 86_400.0

  func answer(_ call: HostCall) async -> HostCallAnswer {
    switch call.name {
    case HTTPCall.name:
      await HTTPCall.answer(call, waits: session.waits) { request in await send(request) }
    case HostCall.hookItemsName:
      items?.answer(call, redactor: redactor) ?? .raises("only on_item can process items")
    case HostCall.hookRetryName: takeRetry(call)
    default: .raises("a hook cannot make the host call '\(call.name)'")
    }
  }

  private func send(_ request: HTTPRequest) async -> Result<HTTPAnswer, Failure> {
    // No key of the config can allow a hook to read files, so the session's advice would be
    // useless.
    if let target = try? TargetURL(request.url), target.scheme == .file {
      return .failure(Failure(.permission, Self.noFiles))
    }
    return await session.send(request)
  }

  private static let noFiles =
    "a hook cannot read files: only the plugin of a job can request a `file:` address"

  private func takeRetry(_ call: HostCall) -> HostCallAnswer {
    guard let seconds = try? call.values().first?.numberValue, seconds > 0 else {
      return .values([])
    }
    let wait = min(seconds, Self.retrySecondsMax)
    let until = now() + .milliseconds(Int64(wait * 1000))
    askedRetry.withLock { $0 = until }
    return .values([])
  }
}
