import ArgumentParser
import FetchAuthoring
import FetchEngine
import FetchModel
import FetchValues
import Glibc

/// The command `fetchrun add https://example.org`, which adds the feed that a page links to.
extension AddCommand {
  /// Whether the argument is the address of a page instead of a plugin's name.
  var isPage: Bool { TypedAddress(plugin, Services.folders([])) != nil }

  /// Returns the command that adds a job for the page itself with the given plugin.
  private func adding(_ plugin: String, _ page: String) -> String {
    var words = ["fetchrun", "add", plugin, "--option", PluginGuide.word("url", page)]
    if network.allowPrivate { words.append("--allow-private") }
    if let config = file.config { words += ["--config", ShellWord.quoted(config)] }
    return words.joined(separator: " ")
  }

  /// Returns the address of the feed to add. If the page has several feeds, lists them, and on a
  /// terminal lets the user select one.
  func feed(
    at address: TypedAddress, _ services: Services, _ allowed: PrivateAddresses, _ output: RunOutput
  ) async -> Result<String, ExitCode> {
    let page = address.url
    if address.isAssumed { output.message("taking '\(plugin)' as \(page)") }
    let feeds: [FeedFinder.Feed]
    output.progress("looking for feeds at \(page) …")
    do {
      let finder = FeedFinder(
        workers: services.workers, http: services.http, policy: services.policy,
        time: services.time)
      feeds = try await finder.feeds(at: page, privateAddresses: allowed)
      output.progress("")
    } catch {
      output.progress("")
      let failure = error as? Failure
      let advice =
        failure.map(FeedFinder.mayHaveMoved) == true
        ? "; if the page has moved, give its new address" : ""
      output.message("cannot look for a feed: \(failure?.message ?? "\(error)")\(advice)")
      if failure.map(FeedFinder.isJSON) == true {
        output.message("to read a list in it, type `\(adding("json-api", page))`")
      }
      if let other = address.other {
        output.message("to try \(other.scheme), type `fetchrun add \(ShellWord.quoted(other.url))`")
      }
      return .failure(ExitStatus.runFailed)
    }
    guard let first = feeds.first else {
      output.message(
        "\(page) links to no feed; if you know the address of one, type"
          + " `fetchrun add rss --option url=ADDRESS`")
      output.message("to watch the page itself for changes, type `\(adding("web-page", page))`")
      return .failure(ExitStatus.runFailed)
    }
    if feeds.count == 1 {
      output.message(
        first.url == page ? "\(page) is a feed itself" : "found the feed \(first.url)")
      return .success(first.url)
    }
    output.message("\(page) links to \(feeds.count) feeds:")
    for (index, feed) in feeds.enumerated() {
      output.message("  \(index + 1)  \(feed.url)  \(feed.title)")
    }
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      output.message(
        "using the first feed; to add another, type `fetchrun add rss --option url=ADDRESS`")
      return .success(first.url)
    }
    output.message("enter the number of a feed, or nothing for the first feed:")
    let answer = (readLine() ?? "").split(whereSeparator: \.isWhitespace).joined()
    if answer.isEmpty { return .success(first.url) }
    guard let number = Int(answer), feeds.indices.contains(number - 1) else {
      output.message("there is no feed '\(answer.prefix(20))': enter 1 to \(feeds.count)")
      return .failure(ExitStatus.usage)
    }
    return .success(feeds[number - 1].url)
  }
}
