package import FetchValues

/// The settings of a job's own folder for files, from the config.
package struct FilesSettings: Equatable, Sendable {
  /// The path of the folder; nil for the default folder.
  package var root: String?
  package var quota = FileQuota()

  package init() {}

  /// Returns the path of a job's default folder. The folder is in `files/` beside the store, and
  /// its name is `folderName(of: job)`.
  package static func usualRoot(store: String, job: JobName) -> String {
    (store.hasSlash ? store.folderPrefix : "./") + "files/" + folderName(of: job)
  }

  /// Returns the folder name for a job. Different job names have different folder names. ASCII
  /// letters, digits, `-`, `_` and `.` stay. All other bytes, and a `.` at the start, become `%XX`.
  /// A long name is cut and ends in a hash of the job name.
  package static func folderName(of job: JobName) -> String {
    var name: [UInt8] = []
    for byte in job.text.utf8 {
      if isPlain(byte), byte != UInt8(ascii: ".") || !name.isEmpty {
        name.append(byte)
      } else {
        name.append(UInt8(ascii: "%"))
        Hexadecimal.append(byte, to: &name)
      }
    }
    if name.isEmpty { return "%" }
    if name.count > nameBytesMax {
      let hash = SHA256.hash(data: Array(job.text.utf8))
      name = name.prefix(nameBytesMax / 2) + Array("%~".utf8) + Hexadecimal.text(of: hash).utf8
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// The maximum length of a folder name, in bytes, well below the limits of file systems.
  private static let nameBytesMax = 160

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}
