import Crypto
package import FetchModel
import FetchValues
import Glibc

/// A folder to read in, held open: nothing beneath it leads out, whatever becomes of it or of its
/// names meanwhile.
///
/// Every call may wait for the disk; none belongs on a thread of Swift's. Calls may overlap. What
/// lies in the host's hidden folder is not there.
package final class FileFolder: Sendable {
  /// As it was opened, for messages.
  package let path: String
  let descriptor: Int32
  /// A folder that is in no list and no digest of this one, nor is what lies in it.
  private let hidden: FileFacts?

  /// Takes the descriptor over.
  init(_ descriptor: Int32, path: String, hiding hidden: FileFacts? = nil) {
    self.descriptor = descriptor
    self.path = path
    self.hidden = hidden
  }

  deinit { close(descriptor) }

  /// Whether its path still leads to it.
  package var isInPlace: Bool {
    guard let own = FileFacts(of: descriptor), let there = FileFacts(at: path) else { return false }
    return own.isSameFile(as: there)
  }

  /// Nil where nothing is. A link is told as one, not as what it leads to.
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

  /// The contents of a regular file.
  package func read(_ path: FilePath, bytesMax: Int) throws(FileFault) -> [UInt8] {
    try RegularFile(beneath: descriptor, path.text).contents(bytesMax: bytesMax)
  }

  /// Of a regular file's contents, however long it is.
  package func sha256(
    _ path: FilePath, isCancelled: () -> Bool = { false }
  ) throws(FileFault) -> [UInt8] {
    try RegularFile(beneath: descriptor, path.text).sha256(isCancelled: isCancelled)
  }

  /// SHA-256 over path, size and time of every regular file below a folder, in the order of their
  /// paths, which begin in that folder: what tells an unchanged tree without reading a file. A
  /// folder or name that cannot be read is a fault, for nothing can be said then.
  package func digest(
    _ path: FilePath, isCancelled: () -> Bool = { false }
  ) throws(FileFault) -> [UInt8] {
    let listing = try list(path, recursive: true, isCancelled: isCancelled)
    var hash = SHA256()
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
    return Array(hash.finalize())
  }

  // MARK: What one name stands for

  func facts(_ path: FilePath, _ deed: FileFault.Deed) throws(FileFault) -> FileFacts {
    let folder = try self.folder(path.folder, Beneath.pathOnly | O_DIRECTORY, deed, for: path)
    defer { close(folder) }
    guard let facts = FileFacts(in: folder, path.isRoot ? "." : path.name) else {
      throw FileFault.last(deed, path.text)
    }
    return facts
  }

  /// A folder below this one, for the caller to close.
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
  /// What lies in a folder, with `recursive` in the folders in it too; paths begin in this folder.
  ///
  /// An inner folder that cannot be read, and a name that is no `FilePath`, are in the list with
  /// their problem; what comes or goes meanwhile may be in it or not.
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
    guard var stream = FolderStream(opened) else { throw FileFault.last(.list, folder) }
    while let (name, count) = stream.next() {
      if folder.isEmpty, strcmp(name, FilePath.hiddenFolder) == 0 { continue }
      // What has gone meanwhile is not there.
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
