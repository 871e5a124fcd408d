package import FetchModel
import Glibc

/// The paths that the user lets a job read: files, and folders with everything in them.
package struct ReadGrant: Sendable {
  private let paths: [String]

  /// Creates the grant from the paths of `Grant.readPaths`.
  package init(_ paths: [String]) { self.paths = paths }

  /// Returns the longest granted path that contains the given absolute path, and the rest of the
  /// given path. The rest is empty if both paths are equal. Throws a failure if no granted path
  /// contains the given path. The functions that open the result follow symbolic links in the
  /// granted path, but not in the rest.
  func place(of names: [String]) throws(Failure) -> (start: String, rest: String) {
    let roots = paths.map(\.pathNames)
    let root = roots.filter { Self.holds($0, names) }.max { $0.count < $1.count }
    guard let root else { throw refusal("/" + names.joined(separator: "/")) }
    return (
      "/" + root.joined(separator: "/"), names.dropFirst(root.count).joined(separator: "/")
    )
  }

  private func refusal(_ path: String) -> Failure {
    let granted = paths.isEmpty ? "nothing" : paths.joined(separator: ", ")
    return Failure(
      .permission,
      "the plugin may not read \(path) (granted: \(granted)); \(Self.hint)")
  }

  /// The advice at the end of a message about a path that is not granted.
  package static let hint =
    "allow it with `--allow-read`, or with `allow_read` in the config or the case file"

  private static func holds(_ root: [String], _ names: [String]) -> Bool {
    root.count <= names.count
      && zip(root, names).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  }
}

// MARK: Opening

extension ReadGrant {
  /// Opens the folder at an absolute path for reading.
  ///
  /// Lists and digests of the folder leave out the job's own folder `own`, if it exists. Throws if
  /// the folder is `own` or inside it. Otherwise a job that copies files could copy its own copies,
  /// or overwrite the files that it reads.
  package func folder(
    _ path: String, apartFrom own: String? = nil
  ) throws(Failure) -> FileFolder {
    guard path.isAbsolutePath, !path.utf8.contains(0) else {
      throw Failure(
        .fileAccess, "invalid path '\(path)': files.folder needs an absolute path without NUL bytes"
      )
    }
    let names = path.pathNames
    guard !names.contains("."), !names.contains("..") else {
      throw Failure(
        .fileAccess,
        "invalid path '\(path)': files.folder needs a path without '.' and '..' as names")
    }
    let (start, rest) = try place(of: names)
    let opened = Self.open(start, rest)
    guard opened >= 0 else {
      let fault = FileFault(.list, path, .system(-opened))
      throw Failure(.fileAccess, "\(fault)")
    }
    let kept = own.flatMap(FileFacts.init(at:))
    if let own, let kept, Self.lies(opened, in: kept) {
      close(opened)
      throw Failure(
        .fileAccess,
        "the folder \(path) is part of the job's own folder \(own), to which the job writes; give "
          + "the job another folder with `--files-root` or with `files: { root: … }` in the config")
    }
    return FileFolder(opened, path: path, hiding: kept)
  }

  /// Whether an open folder is `other` or lies below `other`. Returns false if a parent folder
  /// cannot be opened before `other` is found.
  static func lies(_ folder: Int32, in other: FileFacts) -> Bool {
    let flags = Beneath.pathOnly | O_DIRECTORY | O_CLOEXEC
    var current = openat(folder, ".", flags)
    while current >= 0, let facts = FileFacts(of: current) {
      if facts.isSameFile(as: other) {
        close(current)
        return true
      }
      let above = openat(current, "..", flags)
      close(current)
      current = above
      // The root folder `/` is its own parent.
      if above >= 0, FileFacts(of: above)?.isSameFile(as: facts) ?? true { break }
    }
    if current >= 0 { close(current) }
    return false
  }

  private static func open(_ start: String, _ rest: String) -> Int32 {
    let flags = Beneath.pathOnly | O_DIRECTORY | O_CLOEXEC
    let folder = Glibc.open(start, flags)
    if folder < 0 { return -errno }
    if rest.isEmpty { return folder }
    defer { close(folder) }
    return Beneath.open(folder, rest, flags)
  }

  /// Opens the result of `place(of:)` as a regular file.
  static func file(_ start: String, _ rest: String) throws(FileFault) -> RegularFile {
    if rest.isEmpty { return try RegularFile(following: start) }
    let path = start + "/" + rest
    let folder = Glibc.open(start, Beneath.pathOnly | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw FileFault.last(.read, path) }
    defer { close(folder) }
    return try RegularFile(beneath: folder, rest, as: path)
  }
}
