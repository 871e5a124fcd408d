import FetchTestSupport
import FetchValues
import Glibc
import Testing

@testable import FetchHost

/// Links simulate the answers of such a file system: one file under two names.
@Suite struct CaseClashTests {
  private let path: String
  private let folder: Int32

  init() throws {
    path = try TemporaryFolder.make("case")
    folder = open(path, O_RDONLY | O_DIRECTORY)
    try TemporaryFolder.write("", to: path + "/Ärger.TXT")
    try TemporaryFolder.write("", to: path + "/other")
  }

  private func clash(_ name: String, with real: String) throws -> String? {
    CaseClash.name(of: name, try #require(FileFacts(in: folder, real)), in: folder)
  }

  @Test func `a file found under a name in other case is reported by its own name`() throws {
    // Simulates a look-up of "ärger.txt" that the file system answers with this file.
    #expect(link(path + "/Ärger.TXT", path + "/ÄRGER.TXT") == 0)
    #expect(unlink(path + "/Ärger.TXT") == 0)
    #expect(try clash("ärger.txt", with: "ÄRGER.TXT") == "ÄRGER.TXT")
  }

  @Test func `if names in other case are other files, there is no clash`() throws {
    try TemporaryFolder.write("", to: path + "/OTHER")
    #expect(try clash("other", with: "other") == nil)
    #expect(try clash("Ärger.TXT", with: "Ärger.TXT") == nil)
  }

  @Test func `a second link in other case is no clash`() throws {
    #expect(link(path + "/other", path + "/OTHER") == 0)
    #expect(try clash("other", with: "other") == nil)
    #expect(try clash("OTHER", with: "OTHER") == nil)
  }
}
