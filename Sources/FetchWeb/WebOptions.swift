import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchValues
import Glibc

/// The arguments, the environment and the config of the web process.
struct WebOptions {
  var settings = WebSettings()
  var store: StoreAddress
  /// The hooks of the config, without their receivers; nil if no config was read, or if it has
  /// mistakes.
  var hooks: [HookConfig]?
  /// The names of the jobs of the config; nil if no config was read, or if it has mistakes.
  var jobs: [JobName]?
  /// The names of the disabled jobs of the config; empty if no config was read, or if it has
  /// mistakes.
  var disabledJobs: Set<JobName> = []
  var warnings: [String] = []
  var action = Action.serve

  /// The task of the program.
  enum Action: Equatable {
    case serve
    /// Serves, and prints an address that logs a browser in. If another process already serves the
    /// store, the program only prints the address.
    case login
    /// Prints the OpenAPI document. `markdown` prints the tables of the reference page.
    case openAPI
    case markdown
    /// Changes or lists the tokens.
    case token([String])
    /// Adds or removes addresses for pushes.
    case pushAddress([String])
  }

  static let usage = """
    usage: fetchrun-web [--config FILE] [--store STORE] [--login | --openapi | --markdown | token WORD... | push-address WORD...]
    """

  /// The reason why the program ends with an error.
  struct Problem: Error { var message: String }

  init(_ arguments: [String], environment: [String: String]) throws(Problem) {
    var config: String?
    var named: String?
    var words = arguments[...]
    while let word = words.popFirst() {
      switch word {
      case "--config", "--store":
        guard let value = words.popFirst() else { throw Problem(message: Self.usage) }
        if word == "--config" { config = value } else { named = value }
      case "--login": action = .login
      case "--openapi": action = .openAPI
      case "--markdown": action = .markdown
      case "token":
        action = .token(Array(words))
        words = []
      case "push-address":
        action = .pushAddress(Array(words))
        words = []
      default: throw Problem(message: Self.usage)
      }
    }
    let locations = Locations(
      environment: environment, executable: "", home: Self.home(environment),
      isRoot: geteuid() == 0)
    var configured = ConfiguredStore.unconfigured
    if config != nil || named == nil && ConfigFile.path(nil, locations: locations) != nil {
      let found = ConfigFile.inspect(config, locations: locations, environment: environment)
      settings = found.config.web
      if found.problems.isEmpty {
        hooks = found.config.allHooks.map(\.withoutReceiver)
        jobs = found.config.jobs.map(\.name)
        disabledJobs = Set(found.config.jobs.filter { !$0.isEnabled }.map(\.name))
      }
      configured = found.config.configuredStore
      if let first = found.problems.first {
        let count = counted(found.problems.count, "mistake")
        warnings.append(
          "warning: only parts of the config are used, since it has \(count): \(first);"
            + " `\(SuggestedCommand(config: config).command("check"))` lists all")
      }
    }
    let found = StoreAddress(configured, locations, environment: environment)
    store = named.map { StoreAddress($0, locations) } ?? found
    // `==` ignores the password. If the user names the config's store, the config's address is
    // used, because it may have the password.
    if store == found { store = found }
    // Every action with a store writes beside it, even if no process has opened the store yet.
    do throws(StoreError) { try StoreOpener.check(store) } catch {
      throw Problem(message: error.message)
    }
  }

  /// The server's URL for people and programs; nil if the settings have neither a URL nor an
  /// address to listen at.
  var server: String? {
    let place = settings.listen.first { WebPeer.address($0.address).isLoopback }
    return settings.url ?? (place ?? settings.listen.first).map { "http://\($0)" }
  }

  private static func home(_ environment: [String: String]) -> String? {
    if environment["HOME"]?.isEmpty == false { return nil }
    guard let user = getpwuid(getuid()), let folder = user.pointee.pw_dir else { return nil }
    return String(cString: folder)
  }
}

extension HookConfig {
  /// The hook with only the parts that a list of deliveries needs, without addresses and secrets.
  fileprivate var withoutReceiver: HookConfig {
    var hook = HookConfig(name: name, sink: .file(FeedFileSettings(path: "")))
    hook.rate = rate
    hook.batching = batching
    return hook
  }
}
