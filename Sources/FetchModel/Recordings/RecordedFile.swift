/// A file that exists before the first run.
package struct RecordedFile: Equatable, Sendable {
  /// The path from its folder.
  package var path: FilePath
  package var bytes: [UInt8]

  package init(_ path: FilePath, _ bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}
