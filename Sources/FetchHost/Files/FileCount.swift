import FetchModel
import FetchValues
import Glibc

enum FileCount {
  /// Returns the number of bytes and files that count against the quota. The hidden folder itself
  /// does not count. Open partial files do not count either, because their space is already
  /// reserved. Removes temporary files that writes have left behind in the hidden folder.
  static func all(
    in root: FileRoot, except open: Set<String>
  ) throws(FileFault) -> FileUse {
    var use = FileUse()
    var folders = [""]
    while let folder = folders.popLast() {
      try each(in: folder, of: root) { name, facts in
        if folder.isEmpty, strcmp(name, FilePath.hiddenFolder) == 0 { return }
        use = use + facts.use
        guard facts.kind == .folder else { return }
        let name = String(cString: name)
        folders.append(folder.isEmpty ? name : folder + "/" + name)
      }
    }
    let hidden = FilePath.hiddenFolder
    var left: [String] = []
    try each(in: hidden, of: root) { name, facts in
      let name = String(cString: name)
      // Skips open files, whose space is already reserved. Also skips proofs, which are second
      // names of placed files.
      if open.contains(name) || PartialFile.name(ofProof: name) != nil { return }
      if PartialFile.isLeftBehind(name) { left.append(name) } else { use = use + facts.use }
    }
    for name in left {
      guard let folder = try? root.hiddenFolder() else { break }
      unlinkat(folder, name, 0)
      close(folder)
    }
    return use
  }

  private static func each(
    in folder: String, of root: FileRoot, _ body: (UnsafePointer<CChar>, FileFacts) -> Void
  ) throws(FileFault) {
    let opened = Beneath.open(root.folder.descriptor, folder, FolderStream.flags)
    // Nothing counts in a subfolder that was removed, does not exist yet, or may not be read.
    if [-ENOENT, -ENOTDIR, -ELOOP, -EACCES].contains(opened), !folder.isEmpty { return }
    guard opened >= 0 else { throw FileFault(.list, folder, .system(-opened)) }
    guard var stream = FolderStream(opened) else { throw FileFault.last(.list, folder) }
    while let (name, _) = stream.next() {
      guard let facts = FileFacts(in: stream.descriptor, name) else { continue }
      body(name, facts)
    }
    if stream.code != 0 { throw FileFault(.list, folder, .system(stream.code)) }
  }
}
