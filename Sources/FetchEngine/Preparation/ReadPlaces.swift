import FetchConfig
import FetchModel
import FetchValues

/// The files and folders that a job will try to read, as far as this is known before a run.
enum ReadPlaces {
  /// Returns warnings about paths that no grant covers, at most one for each path.
  ///
  /// - Parameter earlier: the memory with the grants that the user has given outside the config.
  static func warnings(
    of job: Job, _ config: JobConfig, _ earlier: GrantMemory
  ) async -> [ConfigProblem] {
    let granted = AskedPermissions(job.grant.readPaths.map { .read($0) })
    let missing = job.grant.readPaths.filter { FileBytes.absolute($0) == nil }
    let later = AskedPermissions(missing.map { .read(laterPath($0)) })
    let agreed = await earlier.agreedReads(of: job)
    var named = Set<ExactText>()
    return asked(by: job).compactMap { asked -> ConfigProblem? in
      guard !granted.covers(.read(asked.path)), !agreed.covers(.read(asked.entry)),
        named.insert(ExactText(asked.path)).inserted
      else { return nil }
      let subject = asked.option.map { "its option '\($0)' names" } ?? "its plugin asks to read"
      let path = asked.path
      // Links in a granted path are not resolved until the path exists, so `granted` may not cover
      // `path`.
      let advice =
        later.covers(.read(laterPath(path)))
        ? "which allow_read includes, but which does not exist: create it"
        : "which the job may not read: add `\(quoted(path))` to `allow_read` of the job"
      var warning = ConfigProblem(
        file: config.file, line: config.line, column: config.column,
        "job '\(job.name)': \(subject) \(path), \(advice)")
      warning.isWarning = true
      return warning
    }
  }

  private struct Asked {
    /// The entry of `permissions.read` that names the path. If the manifest does not have the
    /// entry, this is the entry that the manifest would need.
    var entry: String
    var path: String
    /// The option that contains the path; nil if the manifest contains the path itself.
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

  /// Returns the names of the options whose value is a `file:` address or a list that contains one.
  private static func fileURLs(in options: ValueObject) -> [String] {
    options.members.filter { member in
      (member.value.arrayValue ?? [member.value]).compactMap(\.stringValue).contains {
        (try? TargetURL($0))?.scheme == .file
      }
    }.map(\.key)
  }

  /// Returns the names of the options that the plugin's code passes to a function `folder`, as in
  /// `files.folder(ctx.options.NAME)`. Empty if the code does not require `files`.
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

  /// Returns the absolute path that a missing file or folder will have. Links are resolved in the
  /// part of the path that exists.
  private static func laterPath(_ path: String) -> String {
    var names = path.pathNames
    var missing: [String] = []
    while true {
      let start = (path.isAbsolutePath ? "/" : "./") + names.joined(separator: "/")
      if let folder = FileBytes.absolute(start) {
        return folder + "/" + missing.joined(separator: "/")
      }
      guard let name = names.popLast() else { return path }
      missing.insert(name, at: 0)
    }
  }

  /// Returns a path for YAML. The path is in quotes if it has special characters.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy {
      ByteSet.unreserved.contains($0) || $0 == UInt8(ascii: "/")
    }
    return isPlain ? path : "'\(path.replacing("'", with: "''"))'"
  }
}
