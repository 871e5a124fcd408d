package import FetchModel
import FetchValues
import Glibc

/// A failed operation on a file or folder: the operation, the path and the reason.
package struct FileFault: Error, Equatable, Sendable {
  package enum Deed: String, Sendable {
    case read = "read the file"
    case write = "write the file"
    case list = "list the folder"
    case look = "look at"
    case remove
    case move
    case make = "create the folder"
  }

  package enum Reason: Equatable, Sendable {
    /// A system call failed with this errno.
    case system(Int32)
    case notRegular
    case larger(than: Int)
    case quota(FileQuotaProblem)
    /// The folder exceeds a limit of `FileListing`. The string names the limits.
    case tooMany(String)
    /// A file whose name differs only in case already exists, and the file system ignores case.
    case sameButCase(String)
    /// An entry of the folder cannot be read, for the reason `problem`.
    case entry(path: String, problem: String)
    /// The folder is part of the job's own folder, which is left out of the list of a granted
    /// folder.
    case own
    case cancelled
  }

  package var deed: Deed
  /// The path of the file or folder, as messages show it.
  package var path: String
  package var reason: Reason

  package init(_ deed: Deed, _ path: String, _ reason: Reason) {
    self.deed = deed
    self.path = path
    self.reason = reason
  }

  /// Creates the fault of a system call that has just failed, from errno.
  static func last(_ deed: Deed, _ path: String) -> FileFault {
    FileFault(deed, path, .system(errno))
  }
}

extension FileFault {
  /// Whether the system reported that the file does not exist, or that a name on its path is not a
  /// folder.
  package var isAbsent: Bool { reason == .system(ENOENT) || reason == .system(ENOTDIR) }

  /// Whether the disk or the quota is full.
  package var isFull: Bool {
    switch reason {
    case .system(ENOSPC), .system(EDQUOT), .quota: true
    default: false
    }
  }
}

extension FileFault {
  /// Whether the same operation may succeed later even if the user changes nothing.
  package var isPassing: Bool {
    switch reason {
    case .system(ENOSPC), .system(EDQUOT), .system(EIO), .system(EBUSY), .system(EMFILE),
      .system(ENFILE), .system(ENOMEM), .system(ESTALE), .system(ETIMEDOUT):
      true
    default: false
    }
  }
}

extension FileFault: CustomStringConvertible {
  /// The failure as one sentence with the path and the reason.
  package var description: String {
    switch reason {
    case .notRegular: "\(path) is not a regular file"
    case .larger(let max): "the file \(path) is larger than \(max) bytes (limit: bodyBytes)"
    default: "cannot \(deed.rawValue) \(path.isEmpty ? "." : path): \(why)"
    }
  }

  private var why: String {
    switch reason {
    case .system(let code): words(code)
    case .quota(let problem): "\(problem)"
    case .tooMany(let excess): "\(excess); list smaller folders one by one"
    case .sameButCase(let name):
      "'\(name)' already exists, and the file system ignores case"
    case .entry(let path, let problem): "\(path): \(problem)"
    case .own: "it is part of the job's own folder, to which the job writes"
    case .notRegular, .larger: ""
    case .cancelled: "the run has ended"
    }
  }

  private func words(_ code: Int32) -> String {
    switch code {
    case ENOENT where deed == .make:
      "the path leads to a symbolic link without a target, or to a folder that was removed"
    case ENOENT: deed == .list ? "there is no such folder" : "there is no such file"
    case ENOTDIR: notAFolder
    case EACCES, EPERM: "permission denied"
    case ELOOP: "the path contains a symbolic link"
    case EISDIR: "the path is a folder"
    case ENOTEMPTY, EEXIST: "the folder is not empty"
    case ENOSPC: "the disk is full"
    case EDQUOT: "the disk quota is used up"
    case EROFS: "the file system is read-only"
    case EXDEV: "the two paths are on different file systems"
    case ENAMETOOLONG: "the name is too long for the file system"
    case EINVAL, EILSEQ:
      deed == .move
        ? "a folder cannot be moved into itself, or the file system does not allow the name"
        : "the file system does not allow the name"
    case EMFILE, ENFILE: "too many files are open"
    case EBUSY: "the file or folder is in use"
    default: String(cString: strerror(code))
    }
  }

  private var notAFolder: String {
    switch deed {
    case .list: "the path is not a folder"
    case .write, .make, .move: "a file exists where a folder is needed"
    case .read, .look, .remove: "there is no such file"
    }
  }
}

extension FileFault {
  /// The fault as a `Failure`. The functions of the module `files` return it to the plugin. For
  /// transfers, see `transferFailure`.
  package var failure: Failure {
    let code: FailureCode =
      switch reason {
      case .larger: .bodyLimit
      case .quota: .fileQuota
      case .cancelled: .cancelled
      default: .fileAccess
      }
    return Failure(code, description, retryable: isPassing)
  }

  /// The failure that ends an attempt at a transfer. It is not retryable if the disk or the quota
  /// is full, or after an I/O error. A person must solve this problem first.
  var transferFailure: Failure {
    var failure = failure
    if isFull || reason == .system(EIO) { failure.retryable = false }
    return failure
  }
}
