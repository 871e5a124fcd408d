import ArgumentParser
import FetchConfig
import FetchEngine
import FetchValues

/// `fetchrun schema`: prints the schema of the config for editors.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of the config file, for editors.",
    discussion: """
      For the YAML language server, begin the config with this line:
      # yaml-language-server: $schema=fetchrun.schema.json
      """)

  @Flag(name: .long, help: "Print the keys as tables in Markdown instead.")
  var markdown = false

  @Flag(
    name: .long,
    help: "Print the tables of the interface of plugins and hook files in Markdown instead.")
  var interface = false

  @Flag(name: .long, help: "Print the OpenAPI document of the HTTP interface instead.")
  var openapi = false

  func run() throws {
    if openapi { return try WebProgram.become(["--openapi"], RunOutput(asJSON: false)) }
    if interface {
      for (title, table) in InterfaceTables.all + InterfaceTables.hooks {
        Terminal.current.output("## \(title)\n\n\(table)\n")
      }
    } else if markdown {
      for (title, table) in ConfigReference.tables {
        Terminal.current.output("## \(title)\n\n\(table)\n")
      }
    } else {
      Terminal.current.output(try JSONWriter.text(ConfigSchema.value))
    }
  }
}
