import Glibc

/// Folders for one test each, under the system's own.
package enum TemporaryFolder {
  package struct Failed: Error {
    var path: String
    var code: Int32
  }

  package static func make(_ name: String) throws -> String {
    let root = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(root)/fetchrun-\(name)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failed(path: root, code: errno) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  package static func makeFolder(_ path: String) throws {
    if mkdir(path, 0o700) != 0 { throw Failed(path: path, code: errno) }
  }

  package static func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "w") else { throw Failed(path: path, code: errno) }
    defer { fclose(file) }
    guard fputs(text, file) >= 0 else { throw Failed(path: path, code: errno) }
  }
}
