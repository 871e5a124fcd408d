import ArgumentParser
import FetchConfig
import FetchModel

/// `fetchrun schema`: what a config may say, for editors.
struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of the config file, for editors.",
    discussion: """
      With the YAML language server, say at the top of the config:
      # yaml-language-server: $schema=fetchrun.schema.json
      """)

  @Flag(name: .long, help: "Print the keys as tables in Markdown instead.")
  var markdown = false

  func run() throws {
    if markdown {
      for (title, table) in ConfigReference.tables {
        Terminal.current.output("## \(title)\n\n\(table)\n")
      }
    } else {
      Terminal.current.output(try JSONWriter.text(ConfigSchema.value))
    }
  }
}
