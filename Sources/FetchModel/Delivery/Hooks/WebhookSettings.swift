import FetchValues

/// A POST of each delivery, as JSON unless `body` says otherwise.
package struct WebhookSettings: SinkSettings {
  package var url: String
  package var headers: [HTTPField] = []
  /// The key that signs the delivery by Standard Webhooks: `webhook-signature`.
  package var secret: SecretSource?
  /// The headers whose values are secrets, such as `Authorization`.
  package var secretHeaders: [SecretHeader] = []
  /// A template that replaces the JSON: see `DeliveryTemplate`.
  package var body: String?
  package var contentType: String?
  package var timeout: Duration = .seconds(30)
  /// The private, loopback and link-local addresses that may be reached.
  package var privateAddresses = PrivateAddresses.none

  package struct SecretHeader: Equatable, Sendable {
    package var name: String
    package var source: SecretSource

    package init(name: String, source: SecretSource) {
      self.name = name
      self.source = source
    }
  }

  package init(url: String) { self.url = url }
}

extension WebhookSettings {
  package var word: String { "webhook" }

  package var receiver: String { (try? TargetURL(url))?.hostname ?? word }

  package var secretSources: [SecretSource] {
    (secret.map { [$0] } ?? []) + secretHeaders.map(\.source)
  }

  package func resolvingPaths(_ resolved: (String) -> String) -> Self {
    var settings = self
    settings.secret = secret?.resolvingPaths(resolved)
    for index in secretHeaders.indices {
      settings.secretHeaders[index].source = secretHeaders[index].source.resolvingPaths(resolved)
    }
    return settings
  }
}
