package import FetchModel
import FetchValues
import Glibc

/// The reason why an operation on a file or folder failed.
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
    /// An errno.
    case system(Int32)
    case notRegular
    case larger(than: Int)
    case quota(FileQuotaProblem)
    /// The folder holds more than one list may have.
    case tooMany(String)
    /// A name that differs only in case exists, and the file system ignores case.
    case sameButCase(String)
    /// A name in the folder that cannot be read, with its problem.
    case entry(path: String, problem: String)
    case cancelled
  }

  package var deed: Deed
  /// The path as the caller gave it.
  package var path: String
  package var reason: Reason

  package init(_ deed: Deed, _ path: String, _ reason: Reason) {
    self.deed = deed
    self.path = path
    self.reason = reason
  }

  /// Creates the fault of a system call that has just failed.
  static func last(_ deed: Deed, _ path: String) -> FileFault {
    FileFault(deed, path, .system(errno))
  }
}

extension FileFault {
  /// Whether the file does not exist, so that nothing is lost.
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
  /// Whether the same operation may succeed later without the user changing anything.
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
  /// One sentence: what could not be done, to what, and why.
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
    case .tooMany(let excess): "\(excess); list the folders in it one by one"
    case .sameButCase(let name):
      "'\(name)' already exists, and its file system ignores case"
    case .entry(let path, let problem): "\(path): \(problem)"
    case .notRegular, .larger: ""
    case .cancelled: "the run has ended"
    }
  }

  private func words(_ code: Int32) -> String {
    switch code {
    case ENOENT: deed == .list ? "there is no such folder" : "there is no such file"
    case ENOTDIR: notAFolder
    case EACCES, EPERM: "permission denied"
    case ELOOP: "it is, or is behind, a symbolic link"
    case EISDIR: "it is a folder"
    case ENOTEMPTY, EEXIST: "the folder is not empty"
    case ENOSPC: "the disk is full"
    case EDQUOT: "the disk quota of this user is used up"
    case EROFS: "its file system is read-only"
    case EXDEV: "it is on another file system"
    case ENAMETOOLONG: "the name is too long for its file system"
    case EINVAL, EILSEQ:
      deed == .move
        ? "a folder cannot be moved into itself, or its file system does not allow such a name"
        : "its file system does not allow such a name"
    case EMFILE, ENFILE: "too many files are open"
    case EBUSY: "another process is using it"
    default: String(cString: strerror(code))
    }
  }

  private var notAFolder: String {
    switch deed {
    case .list: "it is not a folder"
    case .write, .make, .move: "a file is where a folder is needed"
    case .read, .look, .remove: "there is no such file"
    }
  }
}

extension FileFault {
  /// The failure that the plugin and the run's record see.
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

  /// The failure of an attempt at a transfer. A disk that is full or broken needs a person, so a
  /// retry does not fill it again and again.
  var transferFailure: Failure {
    var failure = failure
    if isFull || reason == .system(EIO) { failure.retryable = false }
    return failure
  }
}
