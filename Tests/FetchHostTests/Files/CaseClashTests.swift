import FetchTestSupport
import FetchValues
import Glibc
import Testing

@testable import FetchHost

/// Tests of names that differ only in case. A hard link simulates a file system that ignores case:
/// the test looks a file up under one name, and the folder has the file under another name.
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

  @Test func `a file found under a name in other case is reported by its real name`() throws {
    // Simulates a file system that finds this file when "ärger.txt" is looked up.
    #expect(link(path + "/Ärger.TXT", path + "/ÄRGER.TXT") == 0)
    #expect(unlink(path + "/Ärger.TXT") == 0)
    #expect(try clash("ärger.txt", with: "ÄRGER.TXT") == "ÄRGER.TXT")
  }

  @Test func `other files whose names differ in case cause no clash`() throws {
    try TemporaryFolder.write("", to: path + "/OTHER")
    #expect(try clash("other", with: "other") == nil)
    #expect(try clash("Ärger.TXT", with: "Ärger.TXT") == nil)
  }

  @Test func `a second hard link whose name differs in case causes no clash`() throws {
    #expect(link(path + "/other", path + "/OTHER") == 0)
    #expect(try clash("other", with: "other") == nil)
    #expect(try clash("OTHER", with: "OTHER") == nil)
  }
}
