import FetchModel
import FetchTestSupport
import FetchValues
import Testing

@Suite struct FilesSettingsTests {
  @Test(arguments: [
    ("news", "news"), ("swift-org_2.0", "swift-org_2.0"), ("a b/c", "a%20b%2fc"), ("..", "%2e."),
    (".hidden", "%2ehidden"), ("", "%"), ("ä", "%c3%a4"), ("%", "%25"), ("a\0", "a%00"),
  ]) func `a job's name is converted to a folder's name`(job: JobName, name: String) {
    #expect(FilesSettings.folderName(of: job) == name)
  }

  @Test func `the folders of long names differ by a hash`() throws {
    let long = String(repeating: "ä", count: 500)
    let names = [long, long + "a", long + "b"].map { FilesSettings.folderName(of: JobName($0)) }
    #expect(Set(names).count == 3)
    for name in names { #expect(try FilePath(name).names == [name]) }
  }

  @Test(arguments: 1...10)
  func `no name leads out of the folder, and different names have different folders`(seed: UInt64)
    throws
  {
    var chance = SeededGenerator(seed: seed)
    var names: [String: String] = [:]
    for _ in 0..<500 {
      let job = String(
        decoding: (0..<Int.random(in: 0...4, using: &chance)).map { _ in
          "./%a~2eE".utf8.randomElement(using: &chance) ?? 0
        }, as: UTF8.self)
      let name = FilesSettings.folderName(of: JobName(job))
      #expect(try FilePath(name).names == [name])
      #expect(names.updateValue(job, forKey: name) ?? job == job)
    }
  }

  @Test func `the default root is beside the store`() {
    #expect(FilesSettings.usualRoot(store: "/var/s/store.sqlite", job: "a") == "/var/s/files/a")
    #expect(FilesSettings.usualRoot(store: "s.sqlite", job: "a/b") == "./files/a%2fb")
  }
}
