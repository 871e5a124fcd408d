import FetchConfig
import FetchModel
import FetchValues

/// Files and folders that the options of a job name for reading without a permission, as far as
/// this is known before a run.
enum ReadPlaces {
  /// Returns warnings for `fetchrun check`, one for each path.
  ///
  /// - Parameter earlier: remembers what the user has granted besides the config.
  static func warnings(
    of prepared: PreparedJob, _ earlier: GrantMemory
  ) async -> [ConfigProblem] {
    let job = prepared.job
    let granted = AskedPermissions(job.grant.readPaths.map { .read($0) })
    let agreed = await earlier.agreedReads(of: job)
    var named = Set<ExactText>()
    return asked(by: job).compactMap { asked -> ConfigProblem? in
      guard !granted.covers(.read(asked.path)), !agreed.covers(.read(asked.entry)),
        named.insert(ExactText(asked.path)).inserted
      else { return nil }
      let subject = asked.option.map { "its option '\($0)' names" } ?? "its plugin reads"
      let path = asked.path
      var warning = ConfigProblem(
        file: prepared.config.file, line: prepared.config.line, column: prepared.config.column,
        "job '\(job.name)': \(subject) \(path), which nothing allows it to read: add allow_read:"
          + " [\(quoted(path))] to the job")
      warning.isWarning = true
      return warning
    }
  }

  private struct Asked {
    /// The entry as in `permissions.read`, present or suggested.
    var entry: String
    var path: String
    /// The option that names the path; nil if the manifest names it.
    var option: String?
  }

  private static func asked(by job: Job) -> [Asked] {
    let entries = job.plugin.manifest.permissions.read
    let options = opened(by: job.plugin) + fileURLs(in: job.options)
    let more = options.map { "{options.\($0)}" }.filter { !entries.contains($0) }
    return (entries + more).flatMap { entry in
      PermissionResolution.paths([entry], job.options).map {
        Asked(entry: entry, path: $0, option: PermissionResolution.optionName(in: entry))
      }
    }
  }

  /// Returns the options whose value is or contains a `file:` address.
  private static func fileURLs(in options: ValueObject) -> [String] {
    options.members.filter { member in
      (member.value.arrayValue ?? [member.value]).compactMap(\.stringValue).contains {
        (try? TargetURL($0))?.scheme == .file
      }
    }.map(\.key)
  }

  /// Returns the options that the code passes to `files.folder`: `files.folder(ctx.options.NAME)`.
  private static func opened(by plugin: Plugin) -> [String] {
    guard RequiredNames.of(plugin.source.text).contains("files") else { return [] }
    let tokens = LuaLexer.tokens(of: plugin.source.text)
    return tokens.indices.compactMap { place in
      guard tokens[place].kind == .name, tokens[place].text == "folder",
        place + 1 < tokens.count, tokens[place + 1].isWord("(")
      else { return nil }
      let argument = tokens[(place + 2)...].prefix { !$0.isWord(")") && !$0.isWord(",") }
      let words = argument.map(\.text)
      guard words.count >= 3, words[words.count - 2] == ".", words[words.count - 3] == "options",
        argument.last?.kind == .name
      else { return nil }
      return words[words.count - 1]
    }
  }

  /// Returns a path for YAML, in quotes if it has special characters.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy {
      ByteSet.unreserved.contains($0) || $0 == UInt8(ascii: "/")
    }
    return isPlain ? path : "'\(path.replacing("'", with: "''"))'"
  }
}
