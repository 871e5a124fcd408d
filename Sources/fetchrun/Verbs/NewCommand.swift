import ArgumentParser
import FetchAuthoring
import FetchConfig
import FetchEngine
import FetchModel
import FetchValues

/// `fetchrun new`: writes plugins, hook files, and stubs for editors.
struct NewCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Create a plugin and its test case, a hook file, or stubs for editors.",
    subcommands: [NewPluginCommand.self, NewHookCommand.self, NewStubsCommand.self])
}

/// `fetchrun new plugin NAME`: writes a plugin that works, with a test.
struct NewPluginCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plugin",
    abstract: "Write a working plugin and a test case that passes.",
    discussion: """
      Writes NAME.lua and NAME.test with one case. Writes .luarc.json and .fetchrun/lua if they are \
      missing: they describe the plugin interface to the Lua language server. Nothing is \
      overwritten.
      """)

  @Argument(help: "The plugin's name: lower-case ASCII letters, digits, '-', '_' and '.'.")
  var name: String

  @Option(name: .long, help: "What the plugin reads: rss, json, files or page.")
  var kind = PluginKind.json

  @Option(name: .long, help: "The folder to write to.")
  var folder = "."

  @Flag(name: .long, help: "Print one JSON object per file.")
  var json = false

  mutating func validate() throws {
    name = NewName.stem(name)
    try NewName.check(name, of: "a plugin")
    folder = NewName.folder(folder)
  }

  func run() async throws {
    let output = RunOutput(asJSON: json)
    let services: Services
    do { services = try Services.start(NetworkOptions.none, cachesManifests: false) } catch {
      throw output.stopped(by: error)
    }
    let ending = await write(services, output)
    await services.shutdown()
    if let ending { throw ending }
  }

  private func write(_ services: Services, _ output: RunOutput) async -> ExitCode? {
    let plugin = NewPlugin(named: name, kind, in: folder)
    do {
      let written = try await plugin.write(workers: services.workers)
      output.written(written, edit: plugin.file, next: plugin.nextSteps)
      return nil
    } catch let failure as Failure {
      output.message(failure.message)
      return failure.code == .invalidOption ? ExitStatus.usage : ExitStatus.runFailed
    } catch {
      output.message("\(error)")
      return ExitStatus.runFailed
    }
  }
}

extension PluginKind: ExpressibleByArgument {}

/// The rules for the names and folders that `fetchrun new` accepts.
private enum NewName {
  /// Returns the name without `.lua`, which the file's name gets anyway.
  static func stem(_ name: String) -> String {
    name.hasSuffix(".lua") ? String(name.dropLast(".lua".count)) : name
  }

  static func check(_ name: String, of what: String) throws {
    let isName =
      !name.isEmpty && name.utf8.count <= 64 && name.first != "." && name.first != "-"
      && name.utf8.allSatisfy(isNameByte)
    if !isName {
      throw ValidationError(
        "invalid name '\(name)' for \(what): use up to 64 lower-case ASCII letters, digits, '-', "
          + "'_' and '.', and do not begin with '-' or '.'")
    }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    ByteSet.unreserved.contains(byte) && byte != UInt8(ascii: "~")
      && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  /// Returns the path without slashes at its end. The path `/` stays unchanged.
  static func folder(_ path: String) -> String {
    var path = path
    while path.count > 1, path.last == "/" { path.removeLast() }
    return path
  }
}

/// `fetchrun new hook NAME`: writes a hook file that works.
struct NewHookCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hook",
    abstract: "Write a working hook file that posts new items to an address.",
    discussion: """
      Writes NAME.lua. Writes .luarc.json and .fetchrun/lua if they are missing: they describe the \
      interface to the Lua language server. Nothing is overwritten. The config selects the jobs, \
      events and items (when) of which the hook is notified: see fetchrun.yaml(5), and the pages \
      Hooks and ScriptingHooks of the documentation.
      """)

  @Argument(help: "The hook's name: lower-case ASCII letters, digits, '-', '_' and '.'.")
  var name: String

  @Option(name: .long, help: "The folder to write to.")
  var folder = "."

  @Flag(name: .long, help: "Print one JSON object per file.")
  var json = false

  mutating func validate() throws {
    name = NewName.stem(name)
    try NewName.check(name, of: "a hook")
    folder = NewName.folder(folder)
  }

  func run() throws {
    let output = RunOutput(asJSON: json)
    let hook = NewHook(named: name, in: folder)
    do {
      output.written(try hook.write(), edit: hook.file, next: hook.nextSteps)
    } catch let failure as Failure {
      output.message(failure.message)
      throw failure.code == .invalidOption ? ExitStatus.usage : ExitStatus.runFailed
    } catch {
      output.message("\(error)")
      throw ExitStatus.runFailed
    }
  }
}

extension RunOutput {
  fileprivate func written(_ files: NewPlugin.Written, edit file: String, next steps: [String]) {
    written(files.files, beside: file)
    written(files.kept, isKept: true, beside: file)
    message("the file to edit is \(file); next:")
    for step in steps { message("  " + step) }
  }

  /// Prints one line for each file in the folder of `main`. Each other folder, with its subfolders,
  /// gets one line. As JSON, prints one object for each file.
  ///
  /// Examples of lines are `wrote  ships.lua` and `wrote  ships.test/example  (3 files)`. The line
  /// of an existing file begins with `kept`.
  fileprivate func written(_ files: [String], isKept: Bool = false, beside main: String? = nil) {
    if asJSON {
      for file in files { control(["file": .string(file), "written": .bool(!isKept)]) }
      return
    }
    var folders: [(path: String, files: [String])] = []
    for file in files {
      let folder = folder(of: file)
      let top = main.map(self.folder)
      let known = folders.firstIndex {
        $0.path != top && (folder + "/").hasPrefix($0.path + "/")
      }
      if let known {
        folders[known].files.append(file)
      } else {
        folders.append((folder, [file]))
      }
    }
    for (path, files) in folders {
      let text = files.count == 1 ? files[0] : "\(path)  (\(files.count) files)"
      control([:]) { (isKept ? "kept   " : "wrote  ") + PlainText.line(text) }
    }
  }

  private func folder(of file: String) -> String {
    file.lastSlash.map { String(file[..<$0]) } ?? ""
  }
}

/// `fetchrun new stubs`: writes the stubs of the plugin interface for editors.
struct NewStubsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stubs",
    abstract: "Write the stubs for editors again, for this version of the plugin interface.")

  @Option(name: .long, help: "The folder with the plugins.")
  var folder = "."

  @Flag(name: .long, help: "Print one JSON object per file.")
  var json = false

  func run() throws {
    let output = RunOutput(asJSON: json)
    do {
      output.written(try StubFiles.refresh(in: folder))
    } catch {
      output.message("\(error)")
      throw ExitStatus.runFailed
    }
  }
}
