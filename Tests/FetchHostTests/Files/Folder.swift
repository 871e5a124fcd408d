import FetchHost
package import FetchModel
import FetchTestSupport
import FetchValues
import Glibc
import Testing

/// A folder of one test, and the root of a job in it.
struct Folder {
  let path: String
  var rootPath: String { path + "/root" }

  init() throws { path = try TemporaryFolder.make("files") }

  func root(bytes: Int64 = 1_000_000, count: Int = 100) throws -> FileRoot {
    try FileRoot.open(rootPath, quota: FileQuota(bytes: bytes, count: count))
  }

  /// Returns the contents of a file below the root. Reads the file without fetchrun's code.
  func text(_ name: String) -> String? {
    guard let file = fopen(rootPath + "/" + name, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  func put(_ text: String, _ name: String) throws {
    try TemporaryFolder.write(text, to: rootPath + "/" + name)
  }

  /// Returns the names in the hidden folder of partial files.
  func partialNames() throws -> [String] {
    let path = rootPath + "/" + FilePath.hiddenFolder
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}

extension FilePath: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) {
    guard let path = try? FilePath(text) else {
      preconditionFailure("'\(text)' is not a valid path")
    }
    self = path
  }
}

/// Returns the fault that `body` throws. Records an issue and returns nil if `body` throws none.
func fault(_ body: () throws(FileFault) -> some Any) -> FileFault? {
  do throws(FileFault) {
    _ = try body()
    Issue.record("the call did not throw")
    return nil
  } catch { return error }
}
