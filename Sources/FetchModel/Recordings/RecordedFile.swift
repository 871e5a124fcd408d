/// A file that exists before the first run of a recording.
package struct RecordedFile: Equatable, Sendable {
  /// The path of the file, relative to the job's own folder or to the case's folder.
  package var path: FilePath
  package var bytes: [UInt8]

  package init(_ path: FilePath, _ bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}
