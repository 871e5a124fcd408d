import FetchHost
import FetchModel
import FetchSchedule
import FetchValues

/// The answers to requests about pushes that arrive over HTTP, and about subscriptions at hubs.
extension JobControl {
  func pushRule(
    of job: JobName, _ line: @Sendable (Value) async -> Void
  ) async -> ControlEnd {
    guard jobs.look({ $0.number(of: job) }) != nil else { return unknown(job) }
    var rule = PushRuleLine(job: job.text)
    if let push = pushes(job), let source = push.secret {
      guard let runs else { return .failed("this process cannot read secrets") }
      do throws(SecretProblem) {
        let secret = try await runs.services.secrets.reading.value(of: source)
        rule.signature = push.signature
        rule.key =
          push.signature == .standardWebhooks
          ? StandardWebhook.key(secret) : Array(secret.text.utf8)
      } catch {
        return .failed("the secret for pushes to '\(job)' cannot be read: \(error.message)")
      }
    }
    await line(rule.value)
    return .done
  }

  func renew(_ ids: [Int64], _ line: @Sendable (Value) async -> Void) async -> ControlEnd {
    for id in ids {
      guard let subscription = subscriptions?.renew(id) else {
        return .failed("there is no subscription \(id), or it has ended")
      }
      await line(subscription.line)
    }
    return .done
  }

  func take(
    _ message: HubMessage, of id: Int64, _ line: @Sendable (Value) async -> Void
  ) async -> ControlEnd {
    if loop?.isDraining == true { return .failed(RunLoop.stopping) }
    guard let subscriptions, let job = subscriptions.job(of: id) else {
      return .failed("there is no subscription \(id)")
    }
    let (isKnown, answer) = subscriptions.take(message, of: id)
    guard isKnown else { return .failed("there is no subscription \(id), or it has ended") }
    if let answer { await line(TriggerLine(job: job.text, answer, now: now()).value) }
    return .done
  }
}
