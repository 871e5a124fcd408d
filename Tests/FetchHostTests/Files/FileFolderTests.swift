import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Glibc
import Testing

@Suite struct FileFolderTests {
  private let folder: Folder
  private let root: FileRoot
  init() throws {
    folder = try Folder()
    root = try folder.root()
  }

  private func paths(_ path: FilePath = .root, recursive: Bool = true) throws -> [String] {
    let listing = try root.folder.list(path, recursive: recursive)
    return listing.entries.map { listing.path(of: $0) }
  }

  private func file(_ path: FilePath, _ text: String = "x") throws {
    try root.write(Array(text.utf8), to: path)
  }

  // MARK: Lists

  @Test func `a list is sorted by the bytes of its paths`() throws {
    for path: FilePath in ["b", "a/b", "a b", "a!", "a/ä", "A", "é", "e\u{301}", "a0"] {
      try file(path)
    }
    #expect(try paths() == ["A", "a", "a b", "a!", "a/b", "a/ä", "a0", "b", "e\u{301}", "é"])
    #expect(
      try paths(recursive: false) == ["A", "a", "a b", "a!", "a0", "b", "e\u{301}", "é"])
    #expect(try paths("a") == ["a/b", "a/ä"])
  }

  @Test func `an entry has its kind, size and time`() throws {
    try file("file", "four")
    try file("folder/x")
    let path = folder.rootPath
    #expect(symlink("file", path + "/link") == 0)
    #expect(mkfifo(path + "/fifo", 0o600) == 0)
    let time = timespec(tv_sec: 1_795_000_000, tv_nsec: 123_456_789)
    #expect(utimensat(AT_FDCWD, path + "/file", [time, time], 0) == 0)
    let entries = try root.folder.list(.root).entries
    #expect(entries.map(\.kind) == [.other, .file, .folder, .link])
    #expect(entries.map(\.size) == [0, 4, 0, 0])
    #expect(entries[1].modified == Timestamp(milliseconds: 1_795_000_000_123))
    #expect(entries.allSatisfy { $0.problem == nil })
    #expect(
      try root.folder.entry("file")
        == FileEntry(
          path: "file", kind: .file, size: 4,
          modified: Timestamp(milliseconds: 1_795_000_000_123)))
    #expect(try root.folder.entry("link")?.kind == .link)
    #expect(try root.folder.entry("none") == nil)
    #expect(try root.folder.entry("file/none") == nil)
  }

  @Test func `only a folder has a list`() throws {
    try file("file")
    #expect(symlink(".", folder.rootPath + "/link") == 0)
    for (path, why): (FilePath, String) in [
      ("none", "there is no such folder"), ("file", "the path is not a folder"),
      ("link", "the path contains a symbolic link"),
    ] {
      #expect(
        fault { () throws(FileFault) in try root.folder.list(path) }?.description
          == "cannot list the folder \(path.text): \(why)")
    }
  }

  @Test func `a name that is not UTF-8 is reported`() throws {
    try file("a/b")
    let opened = open(folder.rootPath, O_RDONLY | O_DIRECTORY)
    // The name is `f`, a byte that is never the first byte of a character, and `f`.
    let made = openat(opened, [0x66, -1, 0x66, 0] as [CChar], O_WRONLY | O_CREAT, 0o600)
    #expect(made >= 0)
    close(made)
    close(opened)
    let listing = try root.folder.list(.root, recursive: true)
    let reported = listing.entries.filter { $0.problem != nil }
    #expect(reported.map { listing.path(of: $0) } == ["f\u{FFFD}f"])
    #expect(reported.map(\.problem) == ["its name is not UTF-8"])
    #expect(
      fault { () throws(FileFault) in try root.folder.digest(.root) }?.description
        == "cannot list the folder .: f\u{FFFD}f: its name is not UTF-8")
  }

  @Test func `a tree deeper than a path can be is reported and not walked`() throws {
    var descriptor = open(folder.rootPath, O_RDONLY | O_DIRECTORY)
    let name = String(repeating: "d", count: 250)
    for _ in 0..<20 {
      #expect(mkdirat(descriptor, name, 0o700) == 0)
      let inner = openat(descriptor, name, O_RDONLY | O_DIRECTORY)
      close(descriptor)
      descriptor = inner
    }
    close(descriptor)
    let listing = try root.folder.list(.root, recursive: true)
    #expect(listing.entries.count == 17)
    #expect(
      listing.entries.last?.problem
        == "its path is longer than \(FilePath.pathBytesMax) bytes")
  }

  @Test func `lists omit the host's own folder`() throws {
    let partial = try root.partial(1, for: "a")
    try partial.append(Array("text".utf8))
    #expect(try paths() == [])
    #expect(throws: FilePathProblem.self) { try FilePath(FilePath.hiddenFolder) }
  }

  @Test func `lists of a granted folder leave out the job's own folder, even by its path`() throws {
    try file("copy/in/x")
    try file("seen")
    let path = folder.rootPath
    let granted = try ReadGrant([path]).folder(path, apartFrom: path + "/copy")
    let listing = try granted.list(.root, recursive: true)
    #expect(listing.entries.map { listing.path(of: $0) } == ["seen"])
    for own: FilePath in ["copy", "copy/in"] {
      let message =
        "cannot list the folder \(own.text): it is part of the job's own folder, to which the job"
        + " writes"
      #expect(
        fault { () throws(FileFault) in try granted.list(own) }?.description == message)
      #expect(
        fault { () throws(FileFault) in try granted.digest(own) }?.description == message)
    }
  }

  @Test func `a list that grows too long is refused with advice`() throws {
    let folder = root.folder
    try fill(count: FileListing.entriesMax + 1)
    #expect(
      fault { () throws(FileFault) in try folder.list(.root) }?.description
        == "cannot list the folder .: the folder has more than 100000 entries, or their paths have"
        + " more than 16 MiB in total; list smaller folders one by one")
    #expect(unlink(self.folder.rootPath + "/0") == 0)
    #expect(try folder.list(.root).entries.count == FileListing.entriesMax)
  }

  private func fill(count: Int) throws {
    try file("first")
    for number in 0..<count - 1 {
      guard link(folder.rootPath + "/first", folder.rootPath + "/\(number)") != 0 else { continue }
      // The file `first` has its maximum number of hard links.
      close(open(folder.rootPath + "/\(number)", O_WRONLY | O_CREAT, 0o600))
    }
  }

  // MARK: Contents

  @Test func `a file is read whole or not at all`() throws {
    try file("file", "12345")
    #expect(try root.folder.read("file", bytesMax: 5) == Array("12345".utf8))
    #expect(
      fault { () throws(FileFault) in try root.folder.read("file", bytesMax: 4) }?.description
        == "the file file is larger than 4 bytes (limit: bodyBytes)")
    let hash = SHA256.hash(data: Array("12345".utf8))
    #expect(try root.folder.sha256("file") == hash)
    #expect(
      fault { () throws(FileFault) in try root.folder.sha256("file", isCancelled: { true }) }?
        .description == "cannot read the file file: the run has ended")
  }

  @Test(arguments: ["fifo", "folder"]) func `only regular files are read`(name: String) throws {
    #expect(mkfifo(folder.rootPath + "/fifo", 0o600) == 0)
    try TemporaryFolder.makeFolder(folder.rootPath + "/folder")
    let path = try FilePath(name)
    for message in [
      fault { () throws(FileFault) in try root.folder.read(path, bytesMax: 4) }?.description,
      fault { () throws(FileFault) in try root.folder.sha256(path) }?.description,
    ] { #expect(message == "\(name) is not a regular file") }
  }

  // MARK: Digests

  private func digest(_ path: FilePath = .root) throws -> [UInt8] {
    try root.folder.digest(path)
  }

  @Test func `a digest changes with each change of a tree, and otherwise stays the same`() throws {
    try file("a/one", "1")
    try file("a/two", "2")
    let before = try digest()
    #expect(try digest() == before)
    var seen: Set<[UInt8]> = [before]
    func changed() throws -> Bool { try seen.insert(digest()).inserted }
    try file("a/three", "3")
    #expect(try changed())
    try file("a/three", "33")
    #expect(try changed())
    let time = timespec(tv_sec: 1, tv_nsec: 1)
    #expect(utimensat(AT_FDCWD, folder.rootPath + "/a/three", [time, time], 0) == 0)
    #expect(try changed())
    try root.move("a/three", to: "a/four")
    #expect(try changed())
    #expect(try root.remove("a/four"))
    #expect(try digest() == before)
    #expect(mkdir(folder.rootPath + "/empty", 0o700) == 0)
    #expect(try digest() == before)
  }

  @Test func `the same tree elsewhere has the same digest`() throws {
    try file("a/b/one", "1")
    try file("c/b/one", "1")
    let time = timespec(tv_sec: 1, tv_nsec: 1)
    for name in ["a", "c"] {
      #expect(utimensat(AT_FDCWD, folder.rootPath + "/\(name)/b/one", [time, time], 0) == 0)
    }
    #expect(try digest("a") == digest("c"))
    #expect(try digest("a") != digest("a/b"))
    #expect(fault { () throws(FileFault) in try root.folder.digest("none") }?.isAbsent == true)
  }
}
