import FetchTestSupport
import FetchValues

@testable import FetchWeb

/// A server whose routes show the sample pages, with the header fields of real pages.
struct SampleServer {
  private let server: RawServer
  var address: String { "http://127.0.0.1:\(server.port)" }

  init() async throws { server = try await RawServer(routes: Self.routes()) }

  func stop() async { await server.stop() }

  private static func route(
    _ path: String, _ names: [String], _ answer: @escaping @Sendable (WebRequest) -> WebResponse
  ) -> Route {
    Route(
      "GET", path, .page, needs: .nothing,
      parameters: names.map { RouteParameter($0, .name, in: .path, "its name") },
      answer: .text(WebMedia.html), "Shows a sample"
    ) { request, _ in answer(request) }
  }

  private static func routes() -> [Route] {
    [
      route("/sample/{size}/{name}", ["size", "name"]) { request in
        var pages = SamplePages()
        pages.size = SamplePages.Size(rawValue: request.text("size") ?? "") ?? .usual
        let page = pages.all.first { $0.name == request.text("name") }
        return page.map { .page($0.html) } ?? WebResponse(404)
      },
      // The stream has no events. A browser reconnects only after an hour.
      Route(
        "GET", "/api/v1/events", .other, needs: .nothing,
        parameters: ["types", "since", "job"].map { RouteParameter($0, .name, "as of the API") },
        answer: .text("text/event-stream"), "Sends no events"
      ) { _, _ in WebResponse(type: "text/event-stream", "retry: 3600000\n\n") },
      route("/hostile/{number}", ["number"]) { request in
        let number = Int(request.text("number") ?? "") ?? 0
        let texts = HostileTexts.all
        return .page(texts.indices.contains(number) ? whole(texts[number]) : "")
      },
      route("/harmless/{kind}", ["kind"]) { request in
        .page(whole("usual", url: request.text("kind") == "link" ? "https://a.example" : "none"))
      },
      // This route sends markup that was not escaped, as from a broken page.
      route("/broken/{kind}", ["kind"]) { request in
        let page = WebResponse.page(whole("usual", url: "none"))
        let markup =
          request.text("kind") == "address"
          ? "<a href=\"javascript:alert(1)\">" : "<script>alert(1)</script><b>"
        var response = WebResponse(type: WebMedia.html, (page.bytes ?? []) + Array(markup.utf8))
        response.headers = page.headers
        if request.text("kind") == "open" {
          response.headers.set("Content-Security-Policy", "default-src 'self' 'unsafe-inline'")
        }
        return response
      },
    ]
  }

  /// Returns all pages in one document, with the text in all fields, or with `url` in the field
  /// `url`. Browsers drop the repeated tags of the frame and read everything else as usual.
  private static func whole(_ text: String, url: String? = nil) -> HTML {
    var pages = SamplePages()
    pages.text = { field, _ in field == "url" ? url ?? text : text }
    return pages.all.reduce(into: HTML()) { $0 += $1.html }
  }
}
