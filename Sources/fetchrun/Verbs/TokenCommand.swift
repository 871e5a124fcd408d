import ArgumentParser

/// `fetchrun token`: manages the tokens of the API.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Manage the tokens with which programs use the API.",
    discussion: """
      A token is printed once, when it is added; only its hash is stored. Programs send it as \
      `Authorization: Bearer TOKEN`. The unix socket beside the store needs none.
      """,
    subcommands: [TokenAddCommand.self, TokenListCommand.self, TokenRemoveCommand.self])
}

/// `fetchrun token add NAME`: adds a token.
struct TokenAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a token and print it.")

  @Argument(help: "A name for the token: letters, digits, - and _.")
  var name: String

  @Option(
    name: .long,
    help: "The scopes of the token, separated by commas: read, metrics, feed, push, act or grant.")
  var scope = "read"

  @Option(
    name: .long, parsing: .singleValue,
    help: "The jobs that the token may see, by name or a pattern such as 'news*'; may be repeated.")
  var jobs: [String] = []

  @Option(name: .long, help: "The time after which the token expires, such as 90d.")
  var expires: String?

  @OptionGroup var file: ConfigOptions
  @OptionGroup var storage: StoreOptions

  @Flag(name: .long, help: "Print one JSON object.")
  var json = false

  func run() throws {
    var words = ["token", "add", name, "--scope", scope]
    for job in jobs { words += ["--jobs", job] }
    if let expires { words += ["--expires", expires] }
    if json { words.append("--json") }
    try WebProgram.become(words, file, storage, RunOutput(asJSON: json))
  }
}

/// `fetchrun token list`: lists the tokens.
struct TokenListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the names of tokens, their scopes and their last use.")

  @OptionGroup var file: ConfigOptions
  @OptionGroup var storage: StoreOptions

  @Flag(name: .long, help: "Print one JSON object per token.")
  var json = false

  func run() throws {
    try WebProgram.become(
      ["token", "list"] + (json ? ["--json"] : []), file, storage, RunOutput(asJSON: json))
  }
}

/// `fetchrun token remove NAME…`: removes tokens.
struct TokenRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove tokens, so that the API refuses them.")

  @Argument(help: "Names of tokens.")
  var names: [String]

  @OptionGroup var file: ConfigOptions
  @OptionGroup var storage: StoreOptions

  @Flag(name: .long, help: "Print one JSON object per token.")
  var json = false

  func run() throws {
    try WebProgram.become(
      ["token", "remove"] + names + (json ? ["--json"] : []), file, storage,
      RunOutput(asJSON: json))
  }
}
