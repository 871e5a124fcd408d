import ArgumentParser
import FetchConfig
import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import FetchValues

/// The fast way to read the command line of `OnceCommand`, without ArgumentParser. This code needs
/// a file of its own. In the file with the properties, the compiler (Swift 6.3) misreads
/// assignments after `self.init()`. The compiler treats these assignments as initial values of the
/// property wrappers.
extension OnceCommand {
  /// Creates the command from plain and valid words. Returns nil if ArgumentParser must read the
  /// words.
  init?(plain words: [String]) {
    let plain = FastArguments(
      words,
      flags: NetworkOptions.plainFlags
        + ["--isolate", "--json", "--error-on-no-data", "--no-wait", "--dry-run"],
      singles: NetworkOptions.plainSingles + SandboxOption.plainSingles
        + FirstRunOption.plainSingles + [
          "--store", "--plugin", "--job", "--files-root", "--on-new",
        ],
      lists: NetworkOptions.plainLists + CommandLineHookOptions.plainLists
        + ["--option", "--secret", "--allow-read"])
    guard let plain, plain.operands.isEmpty, plain[single: "--plugin"] != nil,
      let sandbox = SandboxOption(plain), let firstRun = FirstRunOption(plain)
    else { return nil }
    self.init()
    plugin = plain[single: "--plugin"]
    self.words = []
    options = PluginOptions(plain)
    job = plain[single: "--job"].map { JobName($0) }
    secrets = SecretOption(plain)
    storage = StoreOptions(plain)
    network = NetworkOptions(plain)
    self.sandbox = sandbox
    self.firstRun = firstRun
    allowRead = plain[list: "--allow-read"]
    filesRoot = plain[single: "--files-root"]
    typedHooks = CommandLineHookOptions(plain)
    onNew = plain[single: "--on-new"]
    isolate = plain.has("--isolate")
    json = plain.has("--json")
    errorOnNoData = plain.has("--error-on-no-data")
    noWait = plain.has("--no-wait")
    dryRun = plain.has("--dry-run")
    guard (try? secrets.validate()) != nil, (try? options.validate()) != nil,
      (try? network.addresses.validate()) != nil, (try? typedHooks.validate()) != nil
    else { return nil }
  }
}
