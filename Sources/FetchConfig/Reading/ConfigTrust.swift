import FetchModel
import FetchValues
import Glibc

/// The checks that only the user and root can change certain files. These files are a config that
/// starts programs, the programs that the config names by a path, and Lua files.
package enum ConfigTrust {
  /// Returns the problems of the config files that name programs, and of the programs that are
  /// named by a path. A program without a slash is not checked, because it is found in the user's
  /// own `PATH`.
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

  /// Returns the problem if users other than root and the process's user can change the file or its
  /// path. Returns nil if no problem is found, or if the file cannot be found. Folders that contain
  /// links are checked too, because `jobs.d` is looked for beside the path as the user wrote it.
  package static func problem(of file: String) -> ConfigProblem? {
    guard let trail = PathTrail(file), trail.missing == nil else { return nil }
    if let problem = problem(at: trail.end, .file) {
      return ConfigProblem(file: file, "\(problem) this file, which starts commands")
    }
    return problem(on: trail).map {
      ConfigProblem(file: file, "\($0), and this file starts commands")
    }
  }

  /// Returns the problem if other users can change a program, or can create a program that does not
  /// exist; otherwise nil.
  private static func problem(ofProgram path: String) -> String? {
    guard let trail = PathTrail(path) else { return nil }
    if let problem = problem(of: path, on: trail, as: "a command") { return problem }
    guard let missing = trail.missing, isOpen(trail.lastFolder) else { return nil }
    return "there is no \(missing), but others can create it in \(trail.lastFolder), and "
      + "\(path) is run as a command: name an existing "
      + "program, or a path in your own folder"
  }

  /// Returns the problem if other users can change a Lua file or a folder on its path. Returns nil
  /// if no problem is found, or if the file cannot be found.
  package static func problem(ofPlugin path: String) -> String? {
    guard let trail = PathTrail(path), trail.missing == nil else { return nil }
    return problem(of: path, on: trail, as: "Lua code")
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

  package enum Kind: Sendable {
    case file
    case folder
    case link
  }

  /// Returns the advice to a user about a file, folder or link that belongs to neither this user
  /// nor root. Only root can change its owner.
  package static func advice(on path: String, _ kind: Kind, to user: UInt32) -> String {
    if user == 0 {
      return "run `chown \(kind == .link ? "-h " : "")0 \(ShellWord.quoted(path))`"
    }
    return switch kind {
    case .file: "use a copy that you own"
    case .folder: "use a folder that you own"
    case .link: "use the path of the link's target"
    }
  }

  /// Returns the beginning of a message if other users own or can write a file, folder or link.
  /// Also returns it if the check fails. Returns nil if there is no problem.
  private static func problem(at path: String, _ kind: Kind) -> String? {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return "cannot check" }
    guard facts.st_uid == 0 || facts.st_uid == geteuid() else {
      return "\(advice(on: path, kind, to: geteuid())): user \(facts.st_uid) owns"
    }
    // A link has no mode of its own.
    if kind == .link { return nil }
    // In a sticky folder, such as /tmp, others can neither rename nor remove files of the user.
    let isSticky = kind == .folder && facts.st_mode & S_ISVTX != 0
    guard canOthersWrite(facts), !isSticky else { return nil }
    let canChange = geteuid() == 0 || facts.st_uid == geteuid()
    return (canChange ? "" : "as root, ")
      + "run `chmod go-w \(ShellWord.quoted(path))`: others can write"
  }

  /// Whether other users can write the file or folder. Write access of the user's private group
  /// does not count, because a umask of 002 gives it to every new file.
  private static func canOthersWrite(_ facts: stat) -> Bool {
    if facts.st_mode & S_IWOTH != 0 { return true }
    return facts.st_mode & S_IWGRP != 0 && !PrivateGroup.isOwn(facts.st_gid)
  }

  /// Whether other users can create a file in the folder. A sticky folder does not prevent this.
  /// The value is true if the folder cannot be checked.
  private static func isOpen(_ folder: String) -> Bool {
    var facts = stat()
    return lstat(folder, &facts) != 0 || canOthersWrite(facts)
  }
}

/// The group that many systems create for each user, with the user's name and no other member.
enum PrivateGroup {
  struct User: Equatable {
    var id: uid_t
    var name: String
    var group: gid_t
  }

  struct Group: Equatable {
    var id: gid_t
    var name: String
    /// The names of the members in the group's own entry. A user for whom the group is the primary
    /// group is usually not in this list.
    var members: [String]
  }

  /// Whether the group is the private group of this process's user.
  static func isOwn(_ id: gid_t) -> Bool {
    guard let user = user(geteuid()), user.group == id, let group = group(id) else { return false }
    return isPrivate(group, of: user)
  }

  /// Whether `group` is the private group of `user`: the group has the user's name, and its entry
  /// lists no other member, as `useradd` creates it. Root has no private group, because members of
  /// group 0 are administrators.
  static func isPrivate(_ group: Group, of user: User) -> Bool {
    user.id != 0 && group.id != 0 && user.group == group.id
      && ExactText(group.name) == ExactText(user.name)
      && group.members.allSatisfy { ExactText($0) == ExactText(user.name) }
  }

  /// The maximum size of an entry that is read from the system's databases of users and groups, in
  /// bytes.
  private static let entryBytesMax = 64 << 10

  private static func user(_ id: uid_t) -> User? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: entryBytesMax)
    guard getpwuid_r(id, &entry, &buffer, buffer.count, &found) == 0, let found else { return nil }
    return User(
      id: id, name: String(cString: found.pointee.pw_name), group: found.pointee.pw_gid)
  }

  private static func group(_ id: gid_t) -> Group? {
    var entry = Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    var buffer = [CChar](repeating: 0, count: entryBytesMax)
    guard getgrgid_r(id, &entry, &buffer, buffer.count, &found) == 0, let found else { return nil }
    var members: [String] = []
    var next = found.pointee.gr_mem
    while let place = next, let member = place.pointee {
      members.append(String(cString: member))
      next = place + 1
    }
    return Group(id: id, name: String(cString: found.pointee.gr_name), members: members)
  }
}

/// A place in a config that names a program for fetchrun to start.
struct ProgramUse {
  /// The name or path of the program, as it is written in the config. For a hook's command with
  /// `shell`, it is `sh`.
  var program: String
  var file: String
  var place = ConfigPlace()

  /// Returns the uses of programs in this order: the top-level secrets, the store's password, all
  /// hooks, then each job's secrets and `push`.
  static func all(in config: Config) -> [ProgramUse] {
    var uses: [ProgramUse] = []
    for source in config.secrets.map(\.source) + [config.storePassword].compactMap(\.self) {
      uses += source.commands.map { ProgramUse($0, file: config.file) }
    }
    for hook in config.allHooks {
      let place = ConfigPlace(line: hook.place.line, column: hook.place.column)
      uses += hook.sink.commands.map { ProgramUse($0, file: hook.file, place: place) }
    }
    // A loop over the elements instead of the indices would copy each job.
    for index in config.jobs.indices
    where !config.jobs[index].secrets.isEmpty || config.jobs[index].push != nil {
      let job = config.jobs[index]
      for (index, secret) in job.secrets.enumerated() {
        let place =
          index < job.secretPlaces.count
          ? job.secretPlaces[index] : ConfigPlace(line: job.line, column: job.column)
        uses += secret.source.commands.map { ProgramUse($0, file: job.file, place: place) }
      }
      let place = ConfigPlace(line: job.line, column: job.column)
      uses += (job.push?.secret?.commands ?? []).map {
        ProgramUse($0, file: job.file, place: place)
      }
    }
    return uses
  }

  private init(_ words: [String], file: String, place: ConfigPlace = ConfigPlace()) {
    program = words.first ?? ""
    self.file = file
    self.place = place
  }
}
