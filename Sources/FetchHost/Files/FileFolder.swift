package import FetchModel
import FetchValues
import Glibc

/// A folder that is held open for reading. No path beneath the folder leads out of it, even if
/// names in the folder change during a call.
///
/// Every call may wait for the disk, so no call may be made on the threads of Swift's tasks. Calls
/// may overlap. Lists and digests leave out a hidden folder of the host that is directly in this
/// folder, with its contents.
package final class FileFolder: Sendable {
  /// The path by which the folder was opened. `isInPlace` looks this path up.
  package let path: String
  let descriptor: Int32
  /// The metadata of this folder when it was opened; nil if it could not be read.
  private let own: FileFacts?
  /// The metadata of a folder that lists and digests of its parent folders leave out, with its
  /// contents; nil if there is no such folder.
  private let hidden: FileFacts?

  /// Creates the folder from its open descriptor, and takes ownership of that descriptor.
  init(_ descriptor: Int32, path: String, hiding hidden: FileFacts? = nil) {
    self.descriptor = descriptor
    own = FileFacts(of: descriptor)
    self.path = path
    self.hidden = hidden
  }

  deinit { close(descriptor) }

  /// Whether `path` still leads to this folder.
  package var isInPlace: Bool {
    guard let own, let there = FileFacts(at: path) else { return false }
    return own.isSameFile(as: there)
  }

  /// Returns the entry at the path, without following a symbolic link; nil if nothing exists at the
  /// path.
  package func entry(_ path: FilePath) throws(FileFault) -> FileEntry? {
    do throws(FileFault) {
      let facts = try facts(path, .look)
      return FileEntry(
        path: path.text, kind: facts.kind, size: facts.size, modified: facts.modified)
    } catch {
      if error.isAbsent { return nil }
      throw error
    }
  }

  /// Returns the contents of a regular file.
  package func read(_ path: FilePath, bytesMax: Int) throws(FileFault) -> [UInt8] {
    try RegularFile(beneath: descriptor, path.text).contents(bytesMax: bytesMax)
  }

  /// Returns the SHA-256 of the contents of a regular file of any size.
  package func sha256(
    _ path: FilePath, isCancelled: () -> Bool = { false }
  ) throws(FileFault) -> [UInt8] {
    try RegularFile(beneath: descriptor, path.text).sha256(isCancelled: isCancelled)
  }

  /// Returns the SHA-256 of the path, size and modification time of every regular file below a
  /// folder. The files are in the order of their paths, which are relative to that folder. The
  /// contents of the files are not read. Throws if a folder cannot be read or an entry has a
  /// `problem`.
  package func digest(
    _ path: FilePath, isCancelled: () -> Bool = { false }
  ) throws(FileFault) -> [UInt8] {
    let listing = try list(path, recursive: true, isCancelled: isCancelled)
    var hash = HashFunction(.sha256)
    let skipped = path.isRoot ? 0 : path.text.utf8.count + 1
    for entry in listing.entries {
      if let problem = entry.problem {
        throw FileFault(.list, path.text, .entry(path: listing.path(of: entry), problem: problem))
      }
      guard entry.kind == .file else { continue }
      listing.withPath(of: entry) {
        hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0.dropFirst(skipped)))
      }
      let numbers = [0, entry.size, entry.modifiedSeconds, entry.modifiedNanoseconds]
      numbers.map(\.littleEndian).withUnsafeBytes { hash.update(bufferPointer: $0) }
    }
    return hash.finalize()
  }

  // MARK: The entry of one name

  func facts(_ path: FilePath, _ deed: FileFault.Deed) throws(FileFault) -> FileFacts {
    let folder = try self.folder(path.folder, Beneath.pathOnly | O_DIRECTORY, deed, for: path)
    defer { close(folder) }
    guard let facts = FileFacts(in: folder, path.isRoot ? "." : path.name) else {
      throw FileFault.last(deed, path.text)
    }
    return facts
  }

  /// Opens a folder below this folder; the caller must close the returned descriptor.
  func folder(
    _ path: FilePath, _ flags: Int32, _ deed: FileFault.Deed, for named: FilePath
  ) throws(FileFault) -> Int32 {
    let opened = Beneath.open(descriptor, path.text, flags | O_DIRECTORY)
    guard opened >= 0 else { throw FileFault(deed, named.text, .system(-opened)) }
    return opened
  }
}

// MARK: Lists

extension FileFolder {
  /// Returns the contents of the folder at `path`; with `recursive` also the contents of its
  /// subfolders. The paths in the result are relative to this `FileFolder`, not to the listed
  /// folder. Throws if the folder at `path` is left out of lists.
  ///
  /// With `recursive`, a subfolder that cannot be read is listed with its problem. A name that is
  /// not UTF-8 and a path that is too long are also listed with a problem. Entries that are created
  /// or removed during the call may or may not be listed.
  package func list(
    _ path: FilePath, recursive: Bool = false, isCancelled: () -> Bool = { false }
  ) throws(FileFault) -> FileListing {
    var listing = FileListing()
    try add(path.text, of: path, to: &listing)
    var index = 0
    while recursive, index < listing.entries.count {
      let entry = listing.entries[index]
      if entry.kind == .folder, entry.problem == nil {
        if isCancelled() { throw FileFault(.list, path.text, .cancelled) }
        do throws(FileFault) {
          try add(listing.path(of: entry), of: path, to: &listing)
        } catch {
          if case .tooMany = error.reason { throw error }
          if !error.isAbsent { listing.note("\(error)", at: index) }
        }
      }
      index += 1
    }
    listing.sort()
    return listing
  }

  private func add(
    _ folder: String, of top: FilePath, to listing: inout FileListing
  ) throws(FileFault) {
    let opened = Beneath.open(descriptor, folder, FolderStream.flags)
    guard opened >= 0 else { throw FileFault(.list, folder, .system(-opened)) }
    // The list of a parent folder leaves out the hidden folder, so only `top` can be inside it.
    if let hidden, folder == top.text, ReadGrant.lies(opened, in: hidden) {
      close(opened)
      throw FileFault(.list, folder, .own)
    }
    guard var stream = FolderStream(opened) else { throw FileFault.last(.list, folder) }
    while let (name, count) = stream.next() {
      if folder.isEmpty, strcmp(name, FilePath.hiddenFolder) == 0 { continue }
      // Another process may have removed the entry after its name was read.
      guard let facts = FileFacts(in: stream.descriptor, name) else { continue }
      if let hidden, facts.isSameFile(as: hidden) { continue }
      let bytes = UnsafeRawBufferPointer(start: name, count: count)
      guard listing.add(bytes, in: folder, facts) else {
        throw FileFault(.list, top.text, .tooMany(FileListing.excess))
      }
    }
    if stream.code != 0 { throw FileFault(.list, folder, .system(stream.code)) }
  }
}
