package import FetchModel
import FetchValues
import Glibc

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
