import ArgumentParser
import FetchAuthoring
import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchValues
import Glibc

/// `fetchrun add PLUGIN`: adds a job to the config.
struct AddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a job to the config file; create the file if there is none.",
    usage: "fetchrun add <plugin> [--option <name=value> ...] [<options>]",
    discussion: """
      The plugin and its options are checked first; the rest of the file stays unchanged. The address \
      of a web page instead of a plugin adds the feed that the page links to. An address without \
      http:// or https:// means https, or http if it has a port or is private.
      """)

  @Argument(
    help: "A plugin's name or file, or the address of a web page.",
    completion: .plugins)
  var plugin: String

  @OptionGroup var options: PluginOptions

  @Option(
    name: .long,
    help: "The job's name (default: made from the names of the plugin and the source).")
  var name: JobName?

  @Option(
    name: .long,
    help: "never, adaptive, a duration such as 15m, or a cron line such as '0 7 * * mon-fri'.")
  var interval: String?

  @OptionGroup var firstRun: FirstRunOption
  @OptionGroup var secrets: SecretOption
  @OptionGroup var network: NetworkOptions
  @OptionGroup var file: ConfigOptions

  mutating func validate() throws {
    if let interval {
      do { _ = try Interval(parsing: interval) } catch {
        throw ValidationError("--interval: \(error)")
      }
    }
    if let (scheme, rest) = TypedAddress.otherScheme(of: plugin) {
      let word = PlainText.line(plugin)
      if scheme == "file" {
        throw ValidationError(
          "'\(word)' is a file, not a web page; to add a feed in a file, type"
            + " `\(adding("rss", word))`")
      }
      let end = PlainText.line(rest)
      throw ValidationError(
        "unknown scheme '\(scheme)' in '\(word)': use https://\(end) or http://\(end)")
    }
    if isPage, !options.option.isEmpty {
      throw ValidationError("--option needs a plugin's name, not the address of a page")
    }
    if name?.isEmpty == true { throw ValidationError("--name must not be empty") }
  }

  func run() async throws {
    let output = RunOutput(asJSON: false)
    let editing = try ConfigEditing(path: file.pathToEdit, output)
    file.nameService(store: editing.config.store, output)
    let folders = Services.folders(editing.config.pluginFolders)
    let services = try Services.start(network, folders: folders, sandbox: editing.config.sandbox)
    network.warn(output)
    var adding = self
    if let address = TypedAddress(plugin, folders) {
      let allowed = network.privateAddresses.union(editing.config.privateAddresses)
      switch await feed(at: address, services, allowed, output) {
      case .success(let url):
        adding.plugin = "rss"
        adding.options.option = ["url=\(url)"]
      case .failure(let code):
        await services.shutdown()
        throw code
      }
    }
    let found = await adding.newJob(services, editing, output)
    await services.shutdown()
    let (job, plugin) = try found.get()
    try refuseDuplicate(job, editing, output)
    let (added, rule) = firstRun(of: job, plugin, editing)
    let note = await earlierRun(of: job.name, editing) ?? rule
    try editing.add([added], output)
    output.message("the job '\(job.name)' was added to \(editing.path)")
    output.message(note)
  }

  /// Returns the job with the rule for its first run, and a sentence about that rule. If neither
  /// the user nor the config sets a rule, and a hook would be notified of all old items, the rule
  /// becomes `baseline`.
  private func firstRun(
    of job: NewJob, _ plugin: Plugin, _ editing: ConfigEditing
  ) -> (NewJob, String) {
    var job = job
    let usual = editing.config.firstRun ?? plugin.manifest.items.firstRun
    let hook = editing.config.hooks.first {
      $0.events.contains(.added) && $0.scope.includes(job: job.name, plugin: plugin.manifest.name)
    }
    var reason = ""
    if let given = firstRun.firstRun {
      job.firstRun = given
    } else if let hook, usual == .all, editing.config.firstRun == nil {
      job.firstRun = .baseline
      reason =
        ", so that the hook '\(hook.name)' is not notified of old items; to notify the hook, set"
        + " `first_run: all` in the job before its first run"
    }
    let rule = job.firstRun ?? usual
    return (job, "\(rule.sentence()) (first_run: \(rule.text))\(reason)")
  }

  /// Returns a sentence about the items of an earlier job with the name; nil if no run of such a
  /// job has had a result. An unreadable store counts as empty, since a run reports the error.
  private func earlierRun(of name: JobName, _ editing: ConfigEditing) async -> String? {
    let store = ProcessEnvironment.address(of: editing.config.configuredStore)
    guard (try? await StoreOpener.read(store).hasResult(of: name)) == true else { return nil }
    let reset = SuggestedCommand(config: file.config).command("reset", of: .job(name))
    return "a job of this name has run before: it keeps its items and state, and its next run is"
      + " not a first run; to begin anew, type `\(reset)`"
  }

  private func newJob(
    _ services: Services, _ editing: ConfigEditing, _ output: RunOutput
  ) async -> Result<(NewJob, Plugin), ExitCode> {
    do {
      let found = try await services.shelf.plugin(named: plugin)
      let specs = found.manifest.options
      var typed = JobConfig(typed: plugin, name: name ?? .unnamed, options: options.texts)
      typed.secrets = givenSecrets
      if name == nil {
        let store = ProcessEnvironment.address(of: editing.config.configuredStore)
        typed.name = await JobNaming(store: store) { [jobs = editing.config.jobs] in
          jobs
        }
        .name(of: typed, with: found)
      }
      let job = try typed.job(with: found)
      let given = job.options.members.filter { member in
        options.texts.contains { $0.name == member.key } && specs.contains { $0.name == member.key }
      }
      var new = NewJob(
        name: job.name, plugin: editing.pluginPath(plugin),
        options: ValueObject(given.map { ($0.key, $0.value) }), interval: interval)
      new.secrets = typed.secrets
      new.privateAddresses = network.privateAddresses
      return .success((new, found))
    } catch {
      return .failure(output.stopped(by: error))
    }
  }

  /// The secrets, with absolute paths of existing files. Relative paths on the command line are
  /// relative to the working folder, but relative paths in a config are relative to the config's
  /// folder.
  private var givenSecrets: [GivenSecret] {
    secrets.given.map { secret in
      var secret = secret
      secret.source = secret.source.resolvingPaths { path in
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
      }
      return secret
    }
  }

  private func refuseDuplicate(
    _ job: NewJob, _ editing: ConfigEditing, _ output: RunOutput
  ) throws {
    for other in editing.config.jobs {
      if other.options == job.options, other.plugin == editing.resolved(job.plugin) {
        output.message(
          "the job '\(other.name)' in \(other.file):\(other.line) has the same plugin and options")
        throw ExitStatus.usage
      }
      if other.name == job.name {
        output.message(
          "duplicate job name '\(job.name)' (in \(other.file):\(other.line)):"
            + " give this job another --name")
        throw ExitStatus.usage
      }
    }
  }
}

/// The command `fetchrun add https://example.org`, which adds the feed that a page links to.
extension AddCommand {
  /// Whether the argument is the address of a page instead of a plugin's name.
  var isPage: Bool { TypedAddress(plugin, Services.folders([])) != nil }

  /// Returns the command that adds a job for the page itself with the given plugin.
  private func adding(_ plugin: String, _ page: String) -> String {
    adding([plugin, "--option", PluginGuide.word("url", page)])
  }

  /// Returns a `fetchrun add` command with the given words, and with this command's options for
  /// private addresses and the config.
  private func adding(_ what: [String]) -> String {
    var words = ["fetchrun", "add"] + what
    if network.addresses.allowPrivate { words.append("--allow-private") }
    for block in network.addresses.allowPrivateNetwork {
      words += ["--allow-private-network", ShellWord.quoted(block)]
    }
    if let config = file.config { words += ["--config", ShellWord.quoted(config)] }
    return words.joined(separator: " ")
  }

  /// Returns the address of the feed to add. If the page has several feeds, lists them. On a
  /// terminal, the user selects one of them; otherwise the first one is used. If no feed is found,
  /// or if the user's answer is not a listed number, prints the reason and returns the exit status.
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
        output.message("to read a list in this JSON, type `\(adding("json-api", page))`")
      }
      if let other = address.other {
        output.message("to try \(other.scheme), type `\(adding([ShellWord.quoted(other.url)]))`")
      }
      return .failure(ExitStatus.runFailed)
    }
    guard let first = feeds.first else {
      output.message(
        "\(page) has no `link` element for a feed; if you know the address of a feed, type"
          + " `\(adding(["rss", "--option", "url=ADDRESS"]))`")
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
        "using the first feed; to add another, type "
          + "`\(adding(["rss", "--option", "url=ADDRESS"]))`")
      return .success(first.url)
    }
    output.message("enter the number of a feed, or nothing for the first feed:")
    let answer = (readLine() ?? "").split(whereSeparator: \.isWhitespace).joined()
    if answer.isEmpty { return .success(first.url) }
    guard let number = Int(answer), feeds.indices.contains(number - 1) else {
      output.message(
        "there is no feed '\(answer.prefix(20))': run the command again, and enter a number from 1"
          + " to \(feeds.count)")
      return .failure(ExitStatus.usage)
    }
    return .success(feeds[number - 1].url)
  }
}
