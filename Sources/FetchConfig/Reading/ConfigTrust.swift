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
  /// it is found through, those of links too: what it names is looked for beside the path as it is
  /// typed. Also nil where there is no such file.
  package static func problem(of file: String) -> ConfigProblem? {
    guard let trail = PathTrail(file) else { return nil }
    if let problem = problem(at: trail.end, .file) {
      return ConfigProblem(file: file, "\(problem) it, and it has commands run")
    }
    for path in trail.folders.reversed() {
      if let problem = problem(at: path, .folder) {
        return ConfigProblem(
          file: file, "\(problem) the folder \(path), and this file has commands run")
      }
    }
    for path in trail.links {
      if let problem = problem(at: path, .link) {
        return ConfigProblem(
          file: file, "\(problem) the link \(path), and this file has commands run")
      }
    }
    return nil
  }

  private enum Kind {
    case file
    case folder
    case link
  }

  /// The beginning of a sentence about what others can write.
  private static func problem(at path: String, _ kind: Kind) -> String? {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return "nobody can look at" }
    guard facts.st_uid == 0 || facts.st_uid == geteuid() else {
      let command = kind == .link ? "chown -h" : "chown"
      return "make it yours (\(command)): user \(facts.st_uid) owns"
    }
    // A link has no mode of its own.
    if kind == .link { return nil }
    // Of a sticky folder, such as /tmp, others can neither rename nor remove what is not theirs.
    let isSticky = kind == .folder && facts.st_mode & S_ISVTX != 0
    guard facts.st_mode & 0o022 != 0, !isSticky else { return nil }
    return "run chmod go-w \(path): others can write"
  }
}
