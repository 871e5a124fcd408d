import Glibc

/// The detection of file systems that treat `A` and `a` as one name. On such a file system, a write
/// to `a` would replace `A`.
enum CaseClash {
  /// Returns the name under which the folder lists the file that was found as `name`. Returns nil
  /// if the two names do not differ in case, or if the folder cannot be listed.
  static func name(of name: String, _ facts: FileFacts, in folder: Int32) -> String? {
    let lower = name.lowercased()
    let other = lower.utf8.elementsEqual(name.utf8) ? name.uppercased() : lower
    guard !other.utf8.elementsEqual(name.utf8),
      let same = FileFacts(in: folder, other), same.isSameFile(as: facts)
    else { return nil }
    return realName(of: name, facts, in: folder)
  }

  private static func realName(of name: String, _ facts: FileFacts, in folder: Int32) -> String? {
    guard var stream = FolderStream(Beneath.open(folder, "", FolderStream.flags)) else {
      return nil
    }
    var found: String?
    while let (entry, _) = stream.next() {
      if strcmp(entry, name) == 0 { return nil }
      if FileFacts(in: stream.descriptor, entry)?.isSameFile(as: facts) == true {
        found = String(cString: entry)
      }
    }
    return found
  }
}
