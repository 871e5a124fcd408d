import ArgumentParser
import FetchModel
import FetchValues

/// The command line: `fetchrun --plugin FILE` and its verbs.
struct Fetchrun: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetchrun",
    abstract: "Fetches on behalf of small Lua plugins; says newData, noData or failed.",
    usage: """
      fetchrun --plugin FILE [--option NAME=VALUE]...
      fetchrun <subcommand>
      """,
    discussion: """
      fetchrun --plugin FILE [--option NAME=VALUE]... runs one plugin once and stores what it found.

      Exit status: 0 every run ended newData or noData; 1 a run failed, or the store or standard output could not be \
      used; 8 not run (budget, lane, pause); 9 no new data (with --error-on-no-data); 64 wrong usage; 78 bad config or plugin; \
      129 hung up; 130 interrupted; 141 nobody reads the output; 143 terminated. \
      serve that is stopped by SIGINT or SIGTERM ends with 0.
      """,
    version: Product.version,
    subcommands: [Once.self],
    groupedSubcommands: [
      CommandGroup(name: "Run", subcommands: [Run.self, Serve.self, Simulate.self]),
      CommandGroup(
        name: "Result",
        subcommands: [
          Items.self, Diff.self, Runs.self, Status.self, Explain.self, BudgetVerb.self,
          Transfers.self, Deliveries.self,
        ]),
      CommandGroup(
        name: "Daemon", subcommands: [Push.self, Pause.self, Resume.self]),
      CommandGroup(
        name: "Config",
        subcommands: [Add.self, Import.self, Export.self, Check.self, Schema.self]),
      CommandGroup(
        name: "Permission",
        subcommands: [
          SecretVerb.self, PermissionsVerb.self, GrantVerb.self, DiffPermissions.self,
        ]),
      CommandGroup(
        name: "Plugin",
        subcommands: [
          PluginsVerb.self, NewVerb.self, TestVerb.self, Record.self, Replay.self,
        ]),
      CommandGroup(
        name: "Store", subcommands: [Doctor.self, Prune.self, Reset.self]),
    ],
    defaultSubcommand: Once.self)
}
