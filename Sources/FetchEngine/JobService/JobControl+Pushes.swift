import FetchHost
import FetchModel
import FetchSchedule
import FetchValues

/// The answers about pushes over HTTP.
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
}
