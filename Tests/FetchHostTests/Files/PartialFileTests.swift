import FetchModel
import FetchTestSupport
import FetchValues
import Glibc
import Testing

@testable import FetchHost

@Suite struct PartialFileTests {
  private let folder: Folder
  init() throws { folder = try Folder() }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func `a partial file has no path until it is placed`() throws {
    let root = try folder.root()
    let file = try root.partial(7, for: "a/b.txt")
    try file.append(bytes("one"))
    #expect(folder.text("a/b.txt") == nil)
    #expect(try root.folder.list(.root, recursive: true).entries.isEmpty)
    #expect(try folder.partialNames() == ["7"])
    try file.append(bytes(" two"))
    try file.place()
    #expect(folder.text("a/b.txt") == "one two")
    #expect(try folder.partialNames() == [])
  }

  @Test func `files that are placed together each get their own result`() async throws {
    let (root, threads) = (try folder.root(), FileThreads())
    let files = try (0..<50).map { number in
      let place = number % 10 == 0 ? "in the way" : "folder \(number % 7)/inner"
      let file = try root.partial(Int64(number), for: FilePath("\(place)/\(number)"))
      try file.append(bytes("\(number)"))
      return file
    }
    try folder.put("old", "in the way")
    let faults: [FileFault] = await withTaskGroup(of: FileFault?.self) { group in
      for file in files {
        group.addTask {
          do throws(FileFault) { try await file.place(Placement(), on: threads) } catch {
            return error
          }
          return nil
        }
      }
      var faults: [FileFault] = []
      for await case let fault? in group { faults.append(fault) }
      return faults
    }
    #expect(faults.map(\.reason) == Array(repeating: FileFault.Reason.system(ENOTDIR), count: 5))
    #expect(folder.text("in the way") == "old")
    for number in 0..<50 where number % 10 != 0 {
      #expect(folder.text("folder \(number % 7)/inner/\(number)") == "\(number)")
    }
    #expect(try folder.partialNames() == (0..<5).map { String($0 * 10) }.sorted())
  }

  @Test func `a closed file continues at its end`() throws {
    let root = try folder.root()
    try root.partial(7, for: "a").append(bytes("one"))
    let again = try folder.root().partial(7, for: "a")
    #expect(again.size == 3)
    try again.append(bytes(" two"))
    try again.truncate(to: 5)
    #expect(try again.sha256() == SHA256.hash(data: bytes("one t")))
    try again.setModified(Timestamp(milliseconds: 1_795_000_000_123))
    try again.place()
    #expect(folder.text("a") == "one t")
    let entry = try root.folder.entry("a")
    #expect(entry?.modified == Timestamp(milliseconds: 1_795_000_000_123))
    #expect(entry?.size == 5)
  }

  @Test func `only one holder can have a transfer's file open`() throws {
    let root = try folder.root()
    let file = try root.partial(7, for: "a")
    #expect(
      fault { () throws(FileFault) in try root.partial(7, for: "a") }?.reason == .system(EBUSY))
    file.remove()
    #expect(try root.partial(7, for: "a").size == 0)
  }

  @Test func `another store's transfer with the same number cannot open the file`() throws {
    let (root, other) = (try folder.root(), try folder.root())
    let file = try root.partial(7, for: "a")
    try file.append(bytes("mine"))
    #expect(
      fault { () throws(FileFault) in try other.partial(7, for: "b") }?.description
        == "cannot write the file b: the file or folder is in use")
    try other.removePartials(except: [])
    #expect(try folder.partialNames() == ["7"])
    file.leave()
    #expect(try other.partial(7, for: "b").size == 4)
    try other.removePartials(except: [])
    #expect(try folder.partialNames() == [])
  }

  @Test func `a file that is being removed cannot be opened, and its earlier holder cannot use it`()
    throws
  {
    let root = try folder.root()
    try root.partial(7, for: "a").append(bytes("old"))
    let hidden = try root.hiddenFolder()
    defer { close(hidden) }
    var isDone = false
    PartialFile.whileClosed("7", in: hidden) {
      #expect(
        fault { () throws(FileFault) in try root.partial(7, for: "a") }?.reason == .system(EBUSY))
      unlinkat(hidden, "7", 0)
      isDone = true
    }
    #expect(isDone)
    let file = try root.partial(7, for: "a")
    #expect(file.size == 0)
    PartialFile.whileClosed("7", in: hidden) { Issue.record("the file could be opened") }
    try file.place()
  }

  @Test func `a replaced file is kept at the given backup path`() throws {
    let root = try folder.root()
    for (number, text) in ["first", "second", "third"].enumerated() {
      let file = try root.partial(Int64(number), for: "a.txt")
      try file.append(bytes(text))
      try file.place(keepingReplacedAt: "old/a.txt")
    }
    #expect(folder.text("a.txt") == "third")
    #expect(folder.text("old/a.txt") == "second")
    #expect(try folder.partialNames() == [])
  }

  @Test func `the copy that replaces a hard link has the same contents and time`() throws {
    let root = try folder.root()
    let text = String(repeating: "old ", count: 10_000)
    try root.write(bytes(text), to: "a.txt")
    let time = Timestamp(seconds: 1_700_000_000)
    FileTime.set(folder.rootPath + "/a.txt", to: time)
    let hidden = try root.hiddenFolder()
    defer { close(hidden) }
    try PartialFile.copy("a.txt", in: root.folder.descriptor, to: "copy", in: hidden)
    let copy = FilePath.hiddenFolder + "/copy"
    #expect(folder.text(copy) == text && folder.text("a.txt") == text)
    #expect(FileTime.ofFile(folder.rootPath + "/" + copy) == time)
    #expect(
      fault { () throws(FileFault) in
        try PartialFile.copy("a.txt", in: root.folder.descriptor, to: "copy", in: hidden)
      }?.reason == .system(EEXIST))
  }

  @Test func `a file that was placed before is recognised without a hard link`() throws {
    let root = try folder.root()
    try root.write(bytes("new"), to: "a.txt")
    let hidden = try root.hiddenFolder()
    defer { close(hidden) }
    for (text, isCopy) in [("new", true), ("old", false), ("newer", false)] {
      let file = try root.partial(7, for: "a.txt")
      try file.append(bytes(text))
      #expect(
        try PartialFile.isCopy("7", in: hidden, of: "a.txt", in: root.folder.descriptor) == isCopy)
      file.remove()
    }
  }

  @Test func `a file stays at its path if it cannot be kept as a backup`() throws {
    let root = try folder.root()
    try root.write(bytes("old"), to: "a")
    try TemporaryFolder.makeFolder(folder.rootPath + "/backup")
    let file = try root.partial(1, for: "a")
    try file.append(bytes("new"))
    #expect(
      fault { () throws(FileFault) in try file.place(keepingReplacedAt: "backup") }?.description
        == "cannot move backup: the path is a folder")
    #expect(folder.text("a") == "old")
    #expect(try folder.partialNames() == ["1"])
    try file.place(keepingReplacedAt: "backup/a")
    #expect(folder.text("a") == "new" && folder.text("backup/a") == "old")
  }

  @Test func `a file that cannot be placed changes nothing`() throws {
    let root = try folder.root()
    let file = try root.partial(1, for: "a")
    try file.append(bytes("new"))
    #expect(mkdir(folder.rootPath + "/a", 0o700) == 0)
    #expect(
      fault { () throws(FileFault) in try file.place() }?.description
        == "cannot write the file a: the path is a folder")
    #expect(rmdir(folder.rootPath + "/a") == 0)
    try file.place()
    #expect(folder.text("a") == "new")
  }

  @Test func `the partial file of an abandoned transfer is removed`() throws {
    let root = try folder.root()
    try root.partial(7, for: "a").append(bytes("one"))
    try root.removePartial(7)
    try root.removePartial(8)
    #expect(try folder.partialNames() == [])
  }
}
