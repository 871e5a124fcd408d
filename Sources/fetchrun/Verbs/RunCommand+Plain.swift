import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// The fast way to read the command line of `RunCommand`, without ArgumentParser. This code needs a
/// file of its own. In the file with the properties, the compiler (Swift 6.3) misreads assignments
/// after `self.init()`. The compiler treats these assignments as initial values of the property
/// wrappers.
extension RunCommand {
  /// Creates the command from a plain and valid command line. Returns nil if ArgumentParser must
  /// read the command line.
  init?(plain words: [String]) {
    let plain = FastArguments(
      words,
      flags: NetworkOptions.plainFlags
        + ["--due", "--now", "--no-wait", "--dry-run", "--json", "--error-on-no-data"],
      singles: NetworkOptions.plainSingles + SandboxOption.plainSingles + [
        "--store", "--config", "--parallel",
      ],
      lists: NetworkOptions.plainLists)
    guard let plain, let sandbox = SandboxOption(plain) else { return nil }
    self.init()
    jobs = plain.operands.map { JobName($0) }
    file = ConfigOptions(plain)
    storage = StoreOptions(plain)
    network = NetworkOptions(plain)
    self.sandbox = sandbox
    parallel = plain[single: "--parallel"].flatMap { Int($0) }
    due = plain.has("--due")
    now = plain.has("--now")
    noWait = plain.has("--no-wait")
    dryRun = plain.has("--dry-run")
    json = plain.has("--json")
    errorOnNoData = plain.has("--error-on-no-data")
    let isNumber = parallel != nil || plain[single: "--parallel"] == nil
    guard isNumber, (try? validate()) != nil, (try? network.addresses.validate()) != nil else {
      return nil
    }
  }
}
