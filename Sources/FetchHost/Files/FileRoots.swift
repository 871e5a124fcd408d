package import FetchModel
import Synchronization

/// The `FileRoot` objects in use, by path. Runs and transfers share the quota of a folder by
/// sharing its `FileRoot`.
package final class FileRoots: Sendable {
  private struct Weak {
    weak var root: FileRoot?
  }

  private struct State {
    var known: [String: Weak] = [:]
    /// The roots that stay open after use, so that the files in their folders need not be counted
    /// again. The most recently used root is the last element.
    var recent: [FileRoot] = []
  }

  private let state = Mutex(State())

  /// The maximum number of roots that stay open after use. It is limited because each root holds a
  /// descriptor.
  private static let recentMax = 64

  package init() {}

  /// Returns the root at a path and creates the folder if necessary. The quota replaces an earlier
  /// quota, even while the root is in use. May wait for the disk.
  package func root(_ path: String, quota: FileQuota) throws(FileFault) -> FileRoot {
    let known = state.withLock { $0.known[path]?.root }
    if let known, known.folder.isInPlace {
      known.setQuota(quota)
      known.doubtCount()
      keep(known)
      return known
    }
    let opened = try FileRoot.open(path, quota: quota)
    let root = state.withLock { state in
      // Another thread may have opened the same root first.
      if let other = state.known[path]?.root, other !== known { return other }
      state.known = state.known.filter { $0.value.root != nil }
      state.known[path] = Weak(root: opened)
      return opened
    }
    root.setQuota(quota)
    keep(root)
    return root
  }

  private func keep(_ root: FileRoot) {
    state.withLock { state in
      state.recent.removeAll { $0 === root }
      state.recent.append(root)
      if state.recent.count > Self.recentMax { state.recent.removeFirst() }
    }
  }
}
