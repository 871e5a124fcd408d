import FetchModel
import FetchValues
import Glibc

/// Whether a config that has programs started is the user's own word, and the programs and plugins are
/// those that the user means: nobody else may be able to write them, or to put other files in their
/// place.
package enum ConfigTrust {
  /// Of the files that say what is to be run, and of the programs that these name by a path. Those that
  /// are named without a slash are found by the user's own `PATH`.
  static func problems(of config: Config) -> [ConfigProblem] {
    let uses = ProgramUse.all(in: config)
    var files: Set<ExactText> = []
    let ofFiles = uses.compactMap { use in
      files.insert(ExactText(use.file)).inserted ? problem(of: use.file) : nil
    }
    let folder = ConfigFile.folder(of: config.file)
    var known: [ExactText: String?] = [:]
    let ofPrograms = uses.compactMap { use -> ConfigProblem? in
      guard use.program.hasSlash else { return nil }
      let path = ConfigFile.resolved(use.program, from: folder)
      let message = known[ExactText(path)] ?? problem(ofProgram: path)
      known[ExactText(path)] = .some(message)
      return message.map {
        ConfigProblem(file: use.file, line: use.place.line, column: use.place.column, $0)
      }
    }
    return ofFiles + ofPrograms
  }

  /// nil where only the user, or the system's administrator, can write the file and the folders that
  /// it is found through, those of links too: what it names is looked for beside the path as it is
  /// typed. Also nil where there is no such file.
  package static func problem(of file: String) -> ConfigProblem? {
    guard let trail = PathTrail(file), trail.missing == nil else { return nil }
    if let problem = problem(at: trail.end, .file) {
      return ConfigProblem(file: file, "\(problem) it, and it has commands run")
    }
    return problem(on: trail).map {
      ConfigProblem(file: file, "\($0), and this file has commands run")
    }
  }

  /// As `problem(of:)`, of a program; one that is not there must not be anybody else's to put there.
  private static func problem(ofProgram path: String) -> String? {
    guard let trail = PathTrail(path) else { return nil }
    if let problem = problem(of: path, on: trail, as: "a command") { return problem }
    guard let missing = trail.missing, isOpen(trail.lastFolder) else { return nil }
    return "there is no \(missing), and others can make one, since they can write the folder "
      + "\(trail.lastFolder); \(path) would be run as a command: name a program that is there, or one in a "
      + "folder of yours"
  }

  /// Why a plugin's file, a file that it requires or a hook file is not run: others can write it, or a
  /// folder that it is found through. nil where there is no such file.
  package static func problem(ofPlugin path: String) -> String? {
    guard let trail = PathTrail(path), trail.missing == nil else { return nil }
    return problem(of: path, on: trail, as: "a plugin")
  }

  private static func problem(
    of path: String, on trail: PathTrail, as use: String
  ) -> String? {
    if trail.missing == nil, let problem = problem(at: trail.end, .file) {
      return "\(problem) \(path), which is run as \(use)"
    }
    return problem(on: trail).map { "\($0), and \(path) is run as \(use)" }
  }

  private static func problem(on trail: PathTrail) -> String? {
    for path in trail.folders.reversed() {
      if let problem = problem(at: path, .folder) { return "\(problem) the folder \(path)" }
    }
    for path in trail.links {
      if let problem = problem(at: path, .link) { return "\(problem) the link \(path)" }
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
    guard canOthersWrite(facts), !isSticky else { return nil }
    return "run chmod go-w \(path): others can write"
  }

  /// A group that nobody else is in is the user's: where the umask is 002, it can write all files.
  private static func canOthersWrite(_ facts: stat) -> Bool {
    if facts.st_mode & S_IWOTH != 0 { return true }
    return facts.st_mode & S_IWGRP != 0 && !PrivateGroup.isOwn(facts.st_gid)
  }

  /// Whether others can make a file there, as they can in a sticky folder, too.
  private static func isOpen(_ folder: String) -> Bool {
    var facts = stat()
    return lstat(folder, &facts) != 0 || canOthersWrite(facts)
  }
}
