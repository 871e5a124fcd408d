package import FetchModel
package import FetchValues

/// A sink that posts deliveries to an address, with the header fields of Standard Webhooks. The
/// deliveries are signed if the config has a signing secret.
///
/// A 2xx answer means that the delivery was received. The answer's body is not used. Redirects are
/// not followed, because the delivery is only for the address in the config.
package struct WebhookSink: DeliverySink {
  private let settings: WebhookSettings
  private let transport: any HTTPTransport
  private let policy: HTTPPolicy
  private let secrets: SecretAccess
  private let now: @Sendable () -> Timestamp

  package init(
    _ settings: WebhookSettings, transport: any HTTPTransport, policy: HTTPPolicy,
    secrets: SecretAccess, now: @escaping @Sendable () -> Timestamp
  ) {
    self.settings = settings
    self.transport = transport
    self.policy = policy
    self.secrets = secrets
    self.now = now
  }

  /// The HTTP statuses after which a later attempt would fail in the same way.
  private static let finalStatuses: Set<Int> = [400, 405, 410, 413, 414, 415, 422]

  package func deliver(_ batch: DeliveryBatch) async -> DeliveryEnd {
    do throws(DeliveryFailure) {
      var redactor = Redactor()
      let request = try await request(for: batch, &redactor)
      var policy = policy
      if batch.isForced { policy.cooldowns = nil }
      return await send(request, policy, redactor)
    } catch {
      return .failed(error)
    }
  }

  private func send(
    _ request: HTTPRequest, _ policy: HTTPPolicy, _ redactor: Redactor
  ) async -> DeliveryEnd {
    let session = HTTPSession(
      transport: transport, grant: grant, policy: policy, validators: [:],
      deadline: .now + settings.timeout, limits: RunLimits(), now: now)
    let head = UnreadBody()
    switch await session.send(request, into: head) {
    case .failure(let failure):
      if let until = session.postponedUntil { return .postponed(failure.message, until: until) }
      let message = redactor.redacted(
        HostGate.message(of: failure, allowedBy: "allow_private of webhook"))
      if failure.code == .permission {
        return .held(message, lookAgainAt: now() + Self.heldWait)
      }
      return .failed(DeliveryFailure(message, isRetryable: Self.isRetryable(failure)))
    case .success(let answer):
      if (200...299).contains(answer.status) { return .delivered }
      let hostname = (try? TargetURL(settings.url))?.authority ?? settings.url
      return .failed(
        DeliveryFailure(
          "\(hostname) answered \(answer.status)",
          isRetryable: !Self.finalStatuses.contains(answer.status),
          retryAt: answer.header("retry-after").flatMap {
            RetryAfter.instant($0, date: answer.header("date"), now: now())
          }))
    }
  }

  /// The delay before a retry of a delivery to an address that the config does not allow. The
  /// hostname may later resolve to an allowed address.
  private static let heldWait: Duration = .seconds(3600)

  /// Whether another attempt could succeed. A retry is useless if the address or a value is
  /// invalid.
  private static func isRetryable(_ failure: Failure) -> Bool {
    failure.code != .invalidURL && failure.code != .invalidValue
  }

  private var grant: Grant {
    var grant = Grant()
    if let target = try? TargetURL(settings.url) { grant.hosts = HostPattern.all(of: target) }
    grant.privateAddresses = settings.privateAddresses
    return grant
  }

  private func request(
    for batch: DeliveryBatch, _ redactor: inout Redactor
  ) async throws(DeliveryFailure) -> HTTPRequest {
    var request = HTTPRequest(url: settings.url)
    request.method = "POST"
    request.conditional = false
    request.followRedirects = false
    request.timeout = settings.timeout
    let template = settings.body.flatMap { try? DeliveryTemplate(parsing: $0) }
    let body = Array((template?.text(of: batch) ?? batch.json).utf8)
    request.body = body
    request.headers = [HTTPField("Content-Type", settings.contentType ?? "application/json")]
    request.headers += settings.headers
    for header in settings.secretHeaders {
      let value = try await secrets.value(of: header.source, for: header.name)
      redactor.add(value, named: header.name)
      request.headers.append(HTTPField(header.name, value.text))
    }
    var key: [UInt8]?
    if let source = settings.secret {
      key = StandardWebhook.key(try await secrets.value(of: source, for: "the signature"))
    }
    request.headers += StandardWebhook.fields(id: batch.key, at: now(), body: body, key: key)
    request.headers.append(HTTPField("Idempotency-Key", batch.key))
    return request
  }
}

private struct UnreadBody: BodySink {
  func begin(_ head: HTTPHopAnswer, from target: TargetURL) -> BodyWish { .pass }
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool { false }
}

extension SecretAccess {
  /// Returns the value of a secret. The message of the thrown failure names `use`.
  func value(of source: SecretSource, for use: String) async throws(DeliveryFailure) -> SecretValue
  {
    do throws(SecretProblem) { return try await reading.value(of: source) } catch {
      throw DeliveryFailure("cannot obtain the secret for \(use): \(error.message)")
    }
  }
}
