import Glibc

/// Functions for temporary folders and their text files.
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

  package static func read(_ path: String) throws -> String {
    guard let file = fopen(path, "r") else { throw Failed(path: path, code: errno) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += chunk.prefix(count)
    }
  }
}
