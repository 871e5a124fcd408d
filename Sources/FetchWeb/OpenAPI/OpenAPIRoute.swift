import FetchModel
import FetchValues

/// The route that returns the description of the API.
package enum OpenAPIRoute {
  /// Creates the route.
  ///
  /// - Parameter routes: returns all routes of the server.
  package static func route(_ routes: @escaping @Sendable () -> [Route]) -> Route {
    Route(
      "GET", "/api/v1/openapi.json", needs: .scope(.read),
      answer: .object("OpenAPI", [RouteField("openapi", .text)]),
      "Returns this description of the API (OpenAPI 3.1)"
    ) { _, _ in .object(OpenAPIDocument.value(of: routes(), version: Product.version)) }
  }
}
