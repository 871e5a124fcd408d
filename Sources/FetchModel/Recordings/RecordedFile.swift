/// A file that is there before the first run.
package struct RecordedFile: Equatable, Sendable {
  /// From the folder it is below.
  package var path: FilePath
  package var bytes: [UInt8]

  package init(_ path: FilePath, _ bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}
