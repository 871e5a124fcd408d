import FetchValues

/// The settings of a sink that sends each delivery in a POST request, as JSON unless `body` is set.
package struct WebhookSettings: SinkSettings {
  package var url: String
  package var headers: [HTTPField] = []
  /// The key for signing each delivery by Standard Webhooks, in the header `webhook-signature`.
  package var secret: SecretSource?
  /// The headers whose values are secrets, such as `Authorization`.
  package var secretHeaders: [SecretHeader] = []
  /// The template for the request's body; nil for JSON. See `DeliveryTemplate`.
  package var body: String?
  package var contentType: String?
  package var timeout: Duration = .seconds(30)
  /// The private, loopback and link-local addresses to which connections are allowed.
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
