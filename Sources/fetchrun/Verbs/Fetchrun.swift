import ArgumentParser
import FetchModel
import FetchValues

/// The command line of fetchrun: `fetchrun --plugin FILE`, and the verbs such as `fetchrun serve`.
struct Fetchrun: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetchrun",
    abstract: "Runs small Lua plugins that fetch data; reports newData, noData or failed.",
    usage: """
      fetchrun --plugin FILE [--option NAME=VALUE]...
      fetchrun <subcommand>
      """,
    discussion: """
      fetchrun --plugin FILE [--option NAME=VALUE]... runs one plugin once and stores what it found.

      Exit status: 0 every run ended newData or noData; 1 a run failed, or the store or standard output could not be \
      used; 8 not run (budget, lane, pause); 9 no new data (with --error-on-no-data); 64 wrong usage; 78 bad config or plugin; \
      129 hung up; 130 interrupted; 141 the output's reader is gone; 143 terminated. \
      When stopped by SIGINT or SIGTERM, serve ends with 0.
      """,
    version: Product.version,
    subcommands: [OnceCommand.self],
    groupedSubcommands: [
      CommandGroup(
        name: "Run", subcommands: [RunCommand.self, ServeCommand.self, SimulateCommand.self]),
      CommandGroup(
        name: "Result",
        subcommands: [
          ItemsCommand.self, DiffCommand.self, RunsCommand.self, StatusCommand.self,
          ExplainCommand.self, BudgetCommand.self,
          TransfersCommand.self, DeliveriesCommand.self,
        ]),
      CommandGroup(
        name: "Daemon", subcommands: [PushCommand.self, PauseCommand.self, ResumeCommand.self]),
      CommandGroup(name: "Web", subcommands: [WebCommand.self, TokenCommand.self]),
      CommandGroup(
        name: "Config",
        subcommands: [
          AddCommand.self, ImportCommand.self, ExportCommand.self, CheckCommand.self,
          SchemaCommand.self,
        ]),
      CommandGroup(
        name: "Permission",
        subcommands: [
          SecretsCommand.self, PermissionsCommand.self, GrantCommand.self,
          DiffPermissionsCommand.self,
        ]),
      CommandGroup(
        name: "Plugin",
        subcommands: [
          PluginsCommand.self, NewCommand.self, TestCommand.self, RecordCommand.self,
          ReplayCommand.self,
        ]),
      CommandGroup(
        name: "Store",
        subcommands: [
          DoctorCommand.self, StoreCommand.self, PruneCommand.self, ResetCommand.self,
        ]),
    ],
    defaultSubcommand: OnceCommand.self)

  /// The word before the message of an error that ArgumentParser reports, as before all messages.
  static let _errorLabel = "fetchrun"
}
