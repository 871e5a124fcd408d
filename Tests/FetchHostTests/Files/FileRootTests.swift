import FetchModel
import FetchTestSupport
import FetchValues
import Glibc
import Testing

@testable import FetchHost

@Suite struct FileRootTests {
  private let folder: Folder
  init() throws { folder = try Folder() }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func mode(_ name: String) -> mode_t {
    var facts = stat()
    return stat(folder.rootPath + name, &facts) == 0 ? facts.st_mode & 0o777 : 0
  }

  @Test func `a root is created for its owner only, with its parents`() throws {
    let path = folder.path + "/new/state/files/job"
    _ = try FileRoot.open(path, quota: FileQuota())
    for folder in ["/new", "/new/state", "/new/state/files", "/new/state/files/job"] {
      var facts = stat()
      #expect(stat(self.folder.path + folder, &facts) == 0)
      #expect(facts.st_mode & 0o777 == 0o700)
    }
    let root = try folder.root()
    try root.write(bytes("x"), to: "a")
    #expect(mode("/.fetchrun-partial") == 0o700)
  }

  @Test func `a root that cannot be created is reported`() throws {
    try TemporaryFolder.write("", to: folder.path + "/root")
    #expect(
      fault { () throws(FileFault) in
        try FileRoot.open(folder.rootPath, quota: FileQuota())
      }?.description
        == "cannot create the folder \(folder.rootPath): a file exists where a folder is needed"
    )
  }

  @Test func `a file is written, replaced, moved and removed`() throws {
    let root = try folder.root()
    try root.write(bytes("one"), to: "a/b/c.txt")
    #expect(folder.text("a/b/c.txt") == "one")
    try root.write(bytes(""), to: "a/b/c.txt")
    #expect(folder.text("a/b/c.txt") == "")
    try root.write(bytes("two"), to: "x")
    try root.move("x", to: "a/b/c.txt")
    #expect(folder.text("a/b/c.txt") == "two")
    #expect(folder.text("x") == nil)
    try root.move("a", to: "new/z")
    #expect(folder.text("new/z/b/c.txt") == "two")
    #expect(try root.remove("new/z/b/c.txt"))
    #expect(try !root.remove("new/z/b/c.txt"))
    #expect(try root.remove("new/z/b"))
    #expect(try !root.remove("none/at/all"))
    #expect(try folder.partialNames() == [])
  }

  @Test func `a refused operation is reported with its path and changes nothing`() throws {
    let root = try folder.root()
    try root.write(bytes("file"), to: "file")
    try root.write(bytes("file"), to: "full/file")
    try TemporaryFolder.write("secret", to: folder.path + "/secret")
    #expect(symlink(folder.path + "/secret", folder.rootPath + "/link") == 0)
    #expect(mkfifo(folder.rootPath + "/fifo", 0o600) == 0)
    let messages = [
      fault { () throws(FileFault) in try root.write(bytes("x"), to: "full") },
      fault { () throws(FileFault) in try root.write(bytes("x"), to: "link") },
      fault { () throws(FileFault) in try root.write(bytes("x"), to: "fifo") },
      fault { () throws(FileFault) in try root.write(bytes("x"), to: "file/x") },
      fault { () throws(FileFault) in try root.write(bytes("x"), to: "link/x") },
      fault { () throws(FileFault) in try root.remove("full") },
      fault { () throws(FileFault) in try root.move("none", to: "x") },
      fault { () throws(FileFault) in try root.move("file", to: "full") },
      fault { () throws(FileFault) in try root.move("file", to: "file/x") },
      fault { () throws(FileFault) in try root.move("full", to: "file") },
      fault { () throws(FileFault) in try root.move("full", to: "full/inner") },
    ].map { $0?.description ?? "" }
    #expect(
      messages == [
        "cannot write the file full: the path is a folder",
        "cannot write the file link: the path contains a symbolic link",
        "fifo is not a regular file",
        "cannot write the file file/x: a file exists where a folder is needed",
        "cannot write the file link/x: the path contains a symbolic link",
        "cannot remove full: the folder is not empty",
        "cannot move none: there is no such file",
        "cannot move full: the path is a folder",
        "cannot create the folder file: a file exists where a folder is needed",
        "cannot move file: a file exists where a folder is needed",
        "cannot move full/inner: a folder cannot be moved into itself, or the file system does not"
          + " allow the name",
      ])
    #expect(folder.text("file") == "file")
    #expect(folder.text("full/file") == "file")
    #expect(folder.text("../secret") == "secret")
    #expect(try folder.partialNames() == [])
  }

  @Test func `operations on a link move and remove the link itself`() throws {
    let root = try folder.root()
    try TemporaryFolder.write("secret", to: folder.path + "/secret")
    #expect(symlink(folder.path + "/secret", folder.rootPath + "/link") == 0)
    try root.move("link", to: "moved")
    #expect(try root.folder.entry("moved")?.kind == .link)
    #expect(try root.remove("moved"))
    #expect(folder.text("../secret") == "secret")
  }

  @Test func `a file moved to its own path stays`() throws {
    let root = try folder.root(count: 1)
    try root.write(bytes("x"), to: "a")
    try root.move("a", to: "a")
    #expect(folder.text("a") == "x")
    #expect(fault { () throws(FileFault) in try root.write([], to: "b") }?.isFull == true)
  }

  // MARK: The quota

  @Test func `the quota in bytes applies to all files together`() throws {
    let root = try folder.root(bytes: 10)
    try root.write(bytes("123456"), to: "a")
    #expect(
      fault { () throws(FileFault) in try root.write(bytes("12345"), to: "b") }?.description
        == "cannot write the file b: the folder may hold at most 10 bytes (`files.bytes`); remove"
        + " files or raise the quota")
    try root.write(bytes("1234"), to: "b")
    try root.write(bytes("654321"), to: "a")
    #expect(try root.remove("b"))
    try root.write(bytes("0123456789"), to: "a")
    #expect(try folder.partialNames() == [])
  }

  @Test func `the quota in count applies to files and folders`() throws {
    let root = try folder.root(count: 3)
    try root.write([], to: "a/b/c")
    #expect(
      fault { () throws(FileFault) in try root.write([], to: "d") }?.description
        == "cannot write the file d: the folder may hold at most 3 files and folders "
        + "(`files.count`); remove some or raise the quota")
    try root.write(bytes("again"), to: "a/b/c")
    #expect(try root.remove("a/b/c"))
    #expect(try root.remove("a/b"))
    try root.write([], to: "d")
    try root.write([], to: "a/e")
    #expect(fault { () throws(FileFault) in try root.write([], to: "a/f/g") }?.isFull == true)
    #expect(folder.text("a/f") == nil)
  }

  @Test func `existing files count towards the quota, partial files too`() throws {
    var root = try folder.root(bytes: 10, count: 3)
    try root.write(bytes("1234"), to: "a")
    try root.partial(7, for: "b").append(bytes("1234"))
    root = try folder.root(bytes: 10, count: 3)
    #expect(fault { () throws(FileFault) in try root.write(bytes("123"), to: "c") }?.isFull == true)
    let partial = try root.partial(7, for: "b")
    try partial.append(bytes("56"))
    #expect(fault { () throws(FileFault) in try partial.append(bytes("7")) }?.isFull == true)
    try partial.truncate(to: 2)
    try root.write(bytes("1234"), to: "c")
    try partial.place()
    #expect(folder.text("b") == "12")
    #expect(fault { () throws(FileFault) in try root.write([], to: "d") }?.isFull == true)
  }

  @Test func `files that others remove are noticed before a quota is reported as exceeded`() throws
  {
    let root = try folder.root(count: 2)
    try root.write([], to: "a")
    try root.write([], to: "b")
    #expect(unlink(folder.rootPath + "/a") == 0)
    #expect(fault { () throws(FileFault) in try root.write([], to: "c") }?.isFull == true)
    root.doubtCount()
    try root.write([], to: "c")
    #expect(fault { () throws(FileFault) in try root.write([], to: "d") }?.isFull == true)
  }

  @Test func `a file kept as a backup counts in addition to the new one`() throws {
    let root = try folder.root(bytes: 10)
    try root.write(bytes("12345"), to: "a")
    let file = try root.partial(1, for: "a")
    try file.append(bytes("123456"))
    #expect(
      fault { () throws(FileFault) in try file.place(keepingReplacedAt: "old") }?.isFull == true)
    #expect(folder.text("a") == "12345")
    try file.truncate(to: 5)
    try file.place(keepingReplacedAt: "old")
    #expect(folder.text("a") == "12345" && folder.text("old") == "12345")
    #expect(fault { () throws(FileFault) in try root.write(bytes("1"), to: "b") }?.isFull == true)
  }

  @Test func `partial files of ended processes are removed`() throws {
    _ = try folder.root()
    try TemporaryFolder.makeFolder(folder.rootPath + "/.fetchrun-partial")
    // No process has the largest possible id. The other id is that of this process, which writes no
    // such file.
    for name in ["write-\(pid_t.max)-1", "write-\(getpid())-1", "write-x", "17"] {
      try folder.put("left", ".fetchrun-partial/" + name)
    }
    let root = try folder.root(bytes: 8)
    try root.write(bytes("four"), to: "a")
    #expect(try folder.partialNames() == ["17"])
    #expect(fault { () throws(FileFault) in try root.write(bytes("1"), to: "b") }?.isFull == true)
  }

  @Test
  func `many concurrent writers stay within the quota, and none is refused while space is left`()
    async throws
  {
    let root = try folder.root(bytes: 5_000, count: 60)
    let threads = FileThreads()
    let writtenCount = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<100 {
        group.addTask {
          await threads.run { _ in
            let size = 90 + number % 20
            guard let path = try? FilePath("f\(number)") else { return false }
            return (try? root.write([UInt8](repeating: 0, count: size), to: path)) != nil
          }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    let entries = try root.folder.list(.root).entries
    let bytes = entries.reduce(0) { $0 + $1.size }
    #expect(entries.count == writtenCount)
    #expect(bytes <= 5_000 && bytes > 4_800)
    #expect(try folder.partialNames() == [])
  }

  // MARK: Roots

  @Test func `a path has one root until its folder is replaced by another one`() throws {
    let roots = FileRoots()
    let quota = FileQuota()
    let first = try roots.root(folder.rootPath, quota: quota)
    #expect(try roots.root(folder.rootPath, quota: quota) === first)
    #expect(rename(folder.rootPath, folder.path + "/elsewhere") == 0)
    let second = try roots.root(folder.rootPath, quota: quota)
    #expect(second !== first)
    try second.write(bytes("x"), to: "a")
    #expect(folder.text("a") == "x")
  }

  @Test func `a changed quota applies to a root in use, and its partial files stay`() throws {
    let roots = FileRoots()
    let root = try roots.root(folder.rootPath, quota: FileQuota())
    let file = try PartialFile.open(PartialFile.newName(), in: root, for: "a")
    try file.append(bytes("12345"))
    let again = try roots.root(folder.rootPath, quota: FileQuota(bytes: 6))
    #expect(fault { () throws(FileFault) in try again.write(bytes("12"), to: "b") }?.isFull == true)
    #expect(fault { () throws(FileFault) in try root.write(bytes("12"), to: "b") }?.isFull == true)
    try file.place()
    #expect(folder.text("a") == "12345")
    _ = try roots.root(folder.rootPath, quota: FileQuota(bytes: 7))
    try root.write(bytes("12"), to: "b")
  }
}
