import CHost
package import FetchModel
package import FetchValues

/// A sink that sends deliveries by email over SMTP, with libcurl: `smtps://`, or `smtp://` with
/// STARTTLS. Sends unencrypted email only if the user has allowed it.
package struct EmailSink: DeliverySink {
  private let settings: EmailSettings
  private let policy: HTTPPolicy
  private let secrets: SecretAccess
  private let now: @Sendable () -> Timestamp

  package init(
    _ settings: EmailSettings, policy: HTTPPolicy, secrets: SecretAccess,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.settings = settings
    self.policy = policy
    self.secrets = secrets
    self.now = now
  }

  package func deliver(_ batch: DeliveryBatch) async -> DeliveryEnd {
    do throws(DeliveryFailure) {
      if let problem = CurlLibrary.problem { throw DeliveryFailure(problem) }
      var password: SecretValue?
      if let source = settings.password {
        password = try await secrets.value(of: source, for: "email.password")
      }
      let message = message(of: batch)
      let (settings, policy) = (settings, policy)
      let isCancelled = CancelFlag()
      return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isStarted = DedicatedThread.startIfPossible("email hook") { [password] in
            DedicatedThread.blockBrokenPipeSignal()
            let exchange = MailExchange(
              settings, policy: policy, password: password?.text, isCancelled: isCancelled)
            exchange.send(message) { continuation.resume(returning: $0) }
          }
          if !isStarted {
            continuation.resume(returning: .failed(DeliveryFailure(DedicatedThread.refusal)))
          }
        }
      } onCancel: {
        isCancelled.set()
      }
    } catch {
      return .failed(error)
    }
  }

  private func message(of batch: DeliveryBatch) -> [UInt8] {
    let template = settings.subject.flatMap { try? DeliveryTemplate(parsing: $0) }
    return MailMessage(
      from: settings.from, to: settings.to,
      subject: template?.text(of: batch) ?? DeliveryText.subject(of: batch),
      body: DeliveryText.body(of: batch), key: batch.key, sentAt: now()
    ).bytes
  }
}
