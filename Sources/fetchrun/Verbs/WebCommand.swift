import ArgumentParser

/// `fetchrun web`: serves the page and the API, and prints an address that logs a browser in.
struct WebCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web",
    abstract: "Serve the page and the API, and print an address that logs a browser in.",
    discussion: """
      Starts fetchrun-web, which reads the store and sends changes to the daemon until it is \
      interrupted. If a web process already serves the store, only prints the address. The address \
      works once, within five minutes. The settings of the page are under `web` in the config.
      """)

  @OptionGroup var file: ConfigOptions
  @OptionGroup var storage: StoreOptions

  func run() throws {
    try WebProgram.become(["--login"], file, storage, RunOutput(asJSON: false))
  }
}
