package import FetchHost
package import FetchModel
import FetchStore
import FetchValues

/// A finder of the feeds that a web page names (`link rel="alternate"`, WHATWG HTML, 4.6.7.1).
///
/// The page is fetched and parsed by a plugin, under the rules and limits of every run. The page
/// may be on the given hostname, with or without `www.`, or on a subdomain. Many sites redirect to
/// one of these.
package struct FeedFinder: Sendable {
  private let workers: WorkerPool
  private let http: any HTTPTransport
  private let policy: HTTPPolicy
  private let time: RunTime

  /// A feed that a page names, or the requested page if the page itself is a feed.
  package struct Feed: Hashable, Sendable {
    /// The title that the page gives to the feed. Empty if the page gives no title, or if the page
    /// itself is the feed.
    package var title: String
    package var url: String
  }

  package init(
    workers: WorkerPool, http: any HTTPTransport, policy: HTTPPolicy, time: RunTime
  ) {
    self.workers = workers
    self.http = http
    self.policy = policy
    self.time = time
  }

  /// Returns the first 50 feeds that the page names, in the page's order. If the address itself is
  /// a feed, returns only that address. The list is empty if the page names no feed. Throws an
  /// error if the address is invalid, if the temporary store fails, or if the plugin's run fails.
  package func feeds(
    at url: String, privateAddresses: PrivateAddresses = .none
  ) async throws -> [Feed] {
    let target = try TargetURL(url)
    var grant = Grant()
    let bare =
      target.hostname.hasPrefix("www.") ? String(target.hostname.dropFirst(4)) : target.hostname
    grant.hosts = HostPattern.opened(
      [target.hostname, bare, "*." + bare].compactMap(HostPattern.init), at: [target])
    grant.privateAddresses = privateAddresses
    let source = PluginSource(
      name: "find-feeds", fileName: "find-feeds.lua", text: Array(Self.script.utf8))
    let plugin = Plugin(
      named: "find-feeds", PluginFile(path: "find-feeds.lua", source: source),
      Manifest(name: PluginName("find-feeds"), version: "1"))
    let job = Job(
      name: JobName("find-feeds"), plugin: plugin, options: ValueObject([("url", .string(url))]),
      grant: grant)
    let scratch = try ScratchFolder()
    let store = try await StoreOpener.open(.file(scratch.path + "/store.sqlite"))
    let pipeline = RunPipeline(
      RunServices(store: store, workers: workers, http: http, policy: policy, time: time))
    let report = await pipeline.run(job, trigger: .manual)
    try await store.close()
    withExtendedLifetime(scratch) {}
    if let failure = report.record.outcome.failure { throw failure }
    // News items are reported oldest first. Without dates, the last item of a result counts as the
    // oldest, so the reversed report has the order of the page.
    return report.lines.reversed().map { Feed(title: $0.title ?? "", url: $0.url ?? "") }
  }

  /// Whether the failure may mean that the page has moved. True if a server answered 404 or 410, if
  /// a redirect failed, or if the run may not reach a hostname or port.
  package static func mayHaveMoved(_ failure: Failure) -> Bool {
    switch failure.code {
    case .redirect: true
    case .permission: HostGate.isAboutHost(failure)
    case .pluginFailed: goneStatuses.contains { failure.message.hasSuffix(" status \($0)") }
    default: false
    }
  }

  /// The HTTP status codes for pages that do not exist: Not Found and Gone (RFC 9110, 15.5).
  private static let goneStatuses = [404, 410]

  /// Whether the failure means that the address answered with JSON that is not a feed.
  package static func isJSON(_ failure: Failure) -> Bool {
    failure.code == .pluginFailed && failure.message.hasSuffix(" is JSON, not a web page")
  }

  private static let script = """
    local http, feed, html, url = require "http", require "feed", require "html", require "url"

    local types = { "rss+xml", "atom+xml", "rdf+xml", "feed+json" }
    local most = 50

    local function is_feed(link)
      local rel, kind = (link:attr("rel") or ""):lower(), (link:attr("type") or ""):lower()
      if not (" " .. rel:gsub("%s", " ") .. " "):find(" alternate ", 1, true) then return false end
      for _, name in ipairs(types) do
        if kind:find(name, 1, true) then return true end
      end
      return false
    end

    return {
      api = 1, name = "find-feeds", version = "1",
      fetch = function(ctx)
        local response, problem = http.get(ctx.options.url, { conditional = false })
        if not response then return nil, problem end
        if not response.ok then
          return nil, ("%s answered with status %d"):format(response.url, response.status)
        end
        if feed.parse(response) then
          ctx:emit { id = ctx.options.url, url = ctx.options.url }
          return
        end
        if (response.headers["content-type"] or ""):lower():find("json", 1, true) then
          return nil, response.url .. " is JSON, not a web page"
        end
        local page, why = html.parse(response)
        if not page then return nil, why end
        local base = url.resolve(response.url, page:find("string(//base/@href)")) or response.url
        local seen, count = {}, 0
        for _, link in ipairs(page:css("link")) do
          local address = is_feed(link) and url.resolve(base, link:attr("href") or "")
          if address and address:find("^https?://") and not seen[address] and count < most then
            seen[address], count = true, count + 1
            ctx:emit { id = address, url = address, title = link:attr("title") }
          end
        end
      end,
    }
    """
}
