/// The route with which a watchdog checks that the process is alive.
package enum HealthRoutes {
  package static let live = Route(
    "GET", "/livez", .other, needs: .nothing, answer: .text(WebMedia.text),
    "Answers 200 while the process is running"
  ) { _, _ in WebResponse(type: WebMedia.text, "ok\n") }
}
