import FetchModel
import Glibc

/// Whether a config that has programs started is the user's own word: nobody else may be able to
/// write it, or to put another file in its place.
package enum ConfigTrust {
  /// Of the files that say what is to be run.
  static func problems(of config: Config) -> [ConfigProblem] {
    var files: [String] = []
    if config.secrets.contains(where: { !$0.source.commands.isEmpty }) { files.append(config.file) }
    for hook in config.allHooks where !hook.sink.commands.isEmpty && !files.contains(hook.file) {
      files.append(hook.file)
    }
    for job in config.jobs
    where job.secrets.contains(where: { !$0.source.commands.isEmpty }) && !files.contains(job.file)
    {
      files.append(job.file)
    }
    return files.compactMap { problem(of: $0) }
  }

  /// nil where only the user, or the system's administrator, can write the file and the folders that
  /// it is found through; also where there is no such file.
  package static func problem(of file: String) -> ConfigProblem? {
    guard let resolved = realpath(file, nil) else { return nil }
    defer { free(resolved) }
    var path = String(cString: resolved)
    if let problem = problem(at: path, isFolder: false) {
      return ConfigProblem(file: file, "\(problem) it, and it has commands run")
    }
    while let slash = path.lastIndex(of: "/"), path != "/" {
      path = slash == path.startIndex ? "/" : String(path[..<slash])
      if let problem = problem(at: path, isFolder: true) {
        return ConfigProblem(
          file: file, "\(problem) the folder \(path), and this file has commands run")
      }
    }
    return nil
  }

  /// The beginning of a sentence about what others can write.
  private static func problem(at path: String, isFolder: Bool) -> String? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return "nobody can look at" }
    guard facts.st_uid == 0 || facts.st_uid == geteuid() else {
      return "make it yours (chown): user \(facts.st_uid) owns"
    }
    // Of a sticky folder, such as /tmp, others can neither rename nor remove what is not theirs.
    let isSticky = isFolder && facts.st_mode & S_ISVTX != 0
    guard facts.st_mode & 0o022 != 0, !isSticky else { return nil }
    return "run chmod go-w \(path): others can write"
  }
}
