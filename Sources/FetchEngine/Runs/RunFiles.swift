import FetchHost
package import FetchModel
import FetchValues
import Glibc
import Synchronization

/// The files of one run. This object carries out the run's calls of the module `files`, in the
/// job's own folder and in folders that are granted for reading.
final class RunFiles: Sendable {
  private struct Opened {
    var root: FileRoot?
    var folders: [String: FileFolder] = [:]
    var leftCount = 0
  }

  private let places: JobFolders
  private let leased: LeasedJob
  private let suggested: SuggestedCommand
  /// Whether changes to files are only counted and not made.
  private let isRehearsal: Bool
  private let opened = Mutex(Opened())

  /// The maximum number of granted folders that one run holds open.
  private static let foldersMax = 16

  init(
    places: JobFolders, leased: LeasedJob, suggested: SuggestedCommand, isRehearsal: Bool = false
  ) {
    self.isRehearsal = isRehearsal
    self.places = places
    self.leased = leased
    self.suggested = suggested
  }

  /// The number of file changes that a rehearsal did not make.
  var leftCount: Int { opened.withLock(\.leftCount) }

  func answer(_ call: HostCall) async -> HostCallAnswer {
    let asked: FilesCall
    do { asked = try FilesCall(call) } catch {
      switch error {
      case .misuse(let message): return .raises(message)
      case .refused(let failure): return .failure(failure)
      }
    }
    return await places.threads.run { [self] isCancelled in
      do throws(Failure) { return try carryOut(asked, isCancelled) } catch {
        return .failure(error)
      }
    }
  }

  private func carryOut(
    _ call: FilesCall, _ isCancelled: () -> Bool
  ) throws(Failure) -> HostCallAnswer {
    if let path = call.folder {
      let folder = try folder(path)
      do throws(FileFault) { return try read(call, folder, isCancelled) } catch {
        throw error.failure
      }
    }
    guard leased.job.grant.keepsFiles else { throw Self.unseenUse }
    if let refusal = call.changed.compactMap(leased.job.grant.writeRefusal).first { throw refusal }
    do throws(FileFault) {
      let root = try root()
      return call.deed.onlyReads
        ? try read(call, root.folder, isCancelled) : try change(call, root)
    } catch { throw error.failure }
  }

  /// The failure of a plugin that uses the job's folder or requests a transfer, although its code
  /// does not show this. See `Plugin.usesFiles`.
  static let unseenUse = Failure(
    .permission,
    "the plugin may not keep files, because its code does not contain "
      + "`require \"files\"` or `ctx:transfer`; write one of them literally")

  private func change(_ call: FilesCall, _ root: FileRoot) throws(FileFault) -> HostCallAnswer {
    if isRehearsal {
      opened.withLock { $0.leftCount += 1 }
      return .values([.bool(true)])
    }
    switch call.deed {
    case .write: try root.write(call.text, to: call.path)
    case .move: try root.move(call.path, to: call.target)
    case .remove: return .values([.bool(try root.remove(call.path))])
    default: break
    }
    return .values([.bool(true)])
  }

  private func read(
    _ call: FilesCall, _ folder: FileFolder, _ isCancelled: () -> Bool
  ) throws(FileFault) -> HostCallAnswer {
    switch call.deed {
    case .list:
      return FilesAnswer.list(
        try folder.list(call.path, recursive: call.isRecursive, isCancelled: isCancelled))
    case .stat: return FilesAnswer.entry(try folder.entry(call.path))
    case .read:
      return FilesAnswer.text(try folder.read(call.path, bytesMax: leased.job.limits.bodyBytes))
    case .sha256:
      if let paths = call.paths {
        return FilesAnswer.hashes(
          paths.map { path in
            guard let path, !isCancelled() else { return nil }
            return try? folder.sha256(path, isCancelled: isCancelled)
          })
      }
      return FilesAnswer.hash(try folder.sha256(call.path, isCancelled: isCancelled))
    case .digest:
      return FilesAnswer.hash(try folder.digest(call.path, isCancelled: isCancelled))
    case .folder, .write, .move, .remove: return .values([.bool(true)])
    }
  }

  // MARK: Folders

  private func root() throws(FileFault) -> FileRoot {
    if let root = opened.withLock(\.root) { return root }
    let root = try places.root(of: leased.job)
    opened.withLock { $0.root = root }
    return root
  }

  private func folder(_ path: String) throws(Failure) -> FileFolder {
    if let folder = opened.withLock({ $0.folders[path] }) { return folder }
    let folder: FileFolder
    do throws(Failure) {
      // A job that keeps no files cannot write, so it cannot copy or overwrite what it reads, even
      // if the granted folder is the job's own folder.
      folder = try ReadGrant(leased.job.grant.readPaths).folder(
        path, apartFrom: leased.job.grant.keepsFiles ? places.path(of: leased.job) : nil)
    } catch { throw leased.job.explained(error, at: path, suggested) }
    opened.withLock { opened in
      if opened.folders.count == Self.foldersMax { opened.folders.removeAll() }
      opened.folders[path] = folder
    }
    return folder
  }
}

/// A private temporary folder. The folder and its content are removed when the object is released.
package final class ScratchFolder: Sendable {
  package let path: String

  package init() throws(Failure) {
    let root = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(root)/fetchrun-case-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(
        .storeUnavailable, "cannot create a folder in \(root): \(String(cString: strerror(errno)))")
    }
    let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The path is resolved, since grants apply to the targets of links.
    path = FileBytes.absolute(made) ?? made
  }

  deinit { Self.remove(path) }

  /// Removes a folder with its content. Links are removed, not followed.
  package static func remove(_ path: String) {
    for name in FileBytes.names(in: path) where name != "." && name != ".." {
      let inner = path + "/" + name
      if unlink(inner) != 0, errno == EISDIR || errno == EPERM { remove(inner) }
    }
    rmdir(path)
  }
}
