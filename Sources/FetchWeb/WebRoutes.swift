/// All routes of the server, in the order of the reference page.
package enum WebRoutes {
  package static let all: [Route] =
    APIRoutes.all + [OpenAPIRoute.route { all }, HealthRoutes.live] + MonitoringRoutes.all
    + FeedRoutes.all + PushRoutes.all + HubRoutes.all + LoginRoutes.all + PageRoutes.all
}
