import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Glibc
import Synchronization
import Testing

/// Tests of a folder whose files are read and written. Meanwhile the folder is repeatedly exchanged
/// for a link that leads out of the root.
@Suite struct FileRaceTests {
  private let folder: Folder
  init() throws { folder = try Folder() }

  /// A thread that exchanges a folder for a link and back, as fast as possible, until it is stopped.
  private final class Swapper: Sendable {
    private let isOver = Atomic(false)

    func start(folder: String, aside: String, link: String) {
      DedicatedThread.start("swap") { [self] in
        var madeCount = 0
        // A write that finds no folder creates one. That folder is moved out of the way, because
        // nothing could take its name otherwise.
        func move(_ path: String, to target: String) {
          while rename(path, target) != 0, !isOver.load(ordering: .relaxed) {
            rename(target, "\(aside)\(madeCount)")
            madeCount += 1
          }
        }
        while !isOver.load(ordering: .relaxed) {
          rename(folder, aside)
          move(link, to: folder)
          rename(folder, link)
          move(aside, to: folder)
        }
      }
    }

    func stop() { isOver.store(true, ordering: .relaxed) }
  }

  private func outsideNames() throws -> [String] {
    let outside = try FileRoot.open(folder.path + "/outside", quota: FileQuota()).folder
    let listing = try outside.list(.root, recursive: true)
    return listing.entries.map { "\(listing.path(of: $0)) \($0.size)" }
  }

  @Test(arguments: [false, true])
  func `a folder exchanged for a link never leads out of the job's folder`(walks: Bool) throws {
    let root = try folder.root(count: 10_000)
    let (inner, outside) = (folder.rootPath + "/d", folder.path + "/outside")
    try TemporaryFolder.makeFolder(inner)
    try TemporaryFolder.makeFolder(outside)
    try TemporaryFolder.write("inside", to: inner + "/file")
    try TemporaryFolder.write("outside!", to: outside + "/file")
    try TemporaryFolder.write("outside!", to: outside + "/victim")
    let link = folder.rootPath + "/link"
    #expect(symlink(outside, link) == 0)
    let before = try outsideNames()
    let swapper = Swapper()
    swapper.start(folder: inner, aside: folder.rootPath + "/aside", link: link)
    defer { swapper.stop() }
    var readCount = 0
    var refusedCount = 0
    for number in 0..<1_000_000 {
      // On a busy machine, it can take long until the other thread has exchanged the folder.
      if number >= 3_000, readCount > 0, refusedCount > 0 { break }
      let text = walks ? walked() : try? root.folder.read("d/file", bytesMax: 100)
      if let text {
        #expect(text == Array("inside".utf8))
        readCount += 1
      } else {
        refusedCount += 1
      }
      guard number.isMultiple(of: 30) else { continue }
      let new = try FilePath("d/new\(number)")
      try? root.write(Array("new".utf8), to: new)
      _ = try? root.remove("d/victim")
      try? root.move(new, to: "d/victim")
      _ = try? root.folder.sha256("d/file")
      for name in names(try? root.folder.list("d")) { #expect(name != "d/victim 8") }
    }
    #expect(try outsideNames() == before)
    #expect(readCount > 0 && refusedCount > 0, "reads met only one of folder and link")
  }

  private func names(_ listing: FileListing?) -> [String] {
    guard let listing else { return [] }
    return listing.entries.map { "\(listing.path(of: $0)) \($0.size)" }
  }

  /// Reads the file by the walk that replaces openat2.
  private func walked() -> [UInt8]? {
    let start = open(folder.rootPath, O_RDONLY | O_DIRECTORY)
    defer { close(start) }
    let file = Beneath.walk(start, "d/file", O_RDONLY, mode: 0)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = read(file, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }
}
