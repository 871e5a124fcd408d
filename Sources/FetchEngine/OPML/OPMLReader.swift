package import FetchHost
package import FetchModel
import FetchValues

/// A reader of subscription lists (OPML 2.0, http://opml.org/spec2.opml). A worker parses each
/// list, because a list may come from a malicious author.
package struct OPMLReader: Sendable {
  private let workers: WorkerPool

  /// The maximum size in bytes of a list that is read from a file.
  package static let bytesMax = 16 << 20

  package init(workers: WorkerPool) { self.workers = workers }

  /// Returns the feeds of a file in the file's order, including the feeds in folders of the list.
  package func feeds(inFile path: String) async throws(Failure) -> [OPMLFeed] {
    switch FileBytes.read(path, max: Self.bytesMax) {
    case .success(let bytes):
      do { return try await feeds(in: bytes) } catch {
        throw Failure(error.code, "\(path): \(error.message)")
      }
    case .failure(let problem):
      throw Failure(.pluginError, "\(path) cannot be read: \(problem)")
    }
  }

  package func feeds(in bytes: [UInt8]) async throws(Failure) -> [OPMLFeed] {
    let text = String(validating: bytes, as: UTF8.self).map { Value.string($0) }
    let plugin = PluginSource(name: "opml", fileName: "opml.lua", text: Array(Self.script.utf8))
    var run = WorkerRun(plugin: plugin, seed: 0)
    run.isolation = .perRun
    run.arguments = ValueObject([
      ("options", ["text": text ?? .bytes(bytes)]), ("state", .object(ValueObject())),
      ("trigger", .string(RunTrigger.manual.rawValue)), ("job", "opml"), ("run", "opml"),
      ("now", 0.0),
    ])
    let end = await workers.run(run, calls: Silence())
    return try end.result.get().items.map { item in
      OPMLFeed(title: item.title ?? "", url: item.fields["feed"]?.stringValue ?? "")
    }
  }

  /// The plugin that reads a list. It ignores the case of attribute names, because some real lists
  /// have `xmlurl`.
  private static let script = """
    local xml = require "xml"

    return {
      api = 1, name = "opml", version = "1",
      fetch = function(ctx)
        local root, problem = xml.parse(ctx.options.text)
        if not root then return nil, "not OPML: " .. problem end
        if root.name:lower() ~= "opml" then
          return nil, "not OPML: its first element is <" .. root.name .. ">"
        end
        for number, outline in ipairs(root:select("//*")) do
          local found = {}
          for name, value in pairs(outline:attrs()) do found[name:lower()] = value end
          if found.xmlurl and outline.name:lower() == "outline" then
            local title = found.title or ""
            if title == "" then title = found.text or "" end
            ctx:emit { id = tostring(number), title = title, feed = found.xmlurl }
          end
        end
      end,
    }
    """

  /// A handler that refuses every host call. The script makes no host calls.
  private struct Silence: HostCallHandler {
    func answer(_ call: HostCall) async -> HostCallAnswer {
      .raises("this run cannot make host calls")
    }
  }
}

/// One feed of a subscription list.
package struct OPMLFeed: Equatable, Sendable {
  /// The attribute `title` of the feed, or its attribute `text`; empty if the feed has neither.
  package var title: String
  package var url: String

  package init(title: String, url: String) {
    self.title = title
    self.url = url
  }
}
