import Foundation
import Glibc

/// A temporary file system of limited size that is mounted at a folder.
package struct SmallDisk: Sendable {
  package let folder: String

  /// Whether this process runs as root and can mount a file system.
  package static let canBeMade: Bool = {
    guard geteuid() == 0 else { return false }
    let folder = FileManager.default.temporaryDirectory.path + "/fetchrun-disk-\(getpid())"
    guard let disk = try? SmallDisk(at: folder, bytes: 1 << 20) else { return false }
    disk.remove()
    return rmdir(folder) == 0
  }()

  package struct Refused: Error { let code: Int32 }

  package init(at folder: String, bytes: Int, isReadOnly: Bool = false) throws {
    self.folder = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let flags = UInt(MS_NOSUID | MS_NODEV) | (isReadOnly ? UInt(MS_RDONLY) : 0)
    guard mount("tmpfs", folder, "tmpfs", flags, "size=\(bytes)") == 0 else {
      throw Refused(code: errno)
    }
  }

  /// Fills the disk with a file until a write of 4096 bytes fails.
  package func fill() throws {
    let place = URL(filePath: filler)
    try Data().write(to: place)
    let file = try FileHandle(forWritingTo: place)
    while (try? file.write(contentsOf: Data(count: 4096))) != nil {}
    try file.close()
  }

  /// Removes the file that fills the disk.
  package func makeRoom() throws { try FileManager.default.removeItem(atPath: filler) }

  private var filler: String { folder + "/filler" }

  package func remove() { umount2(folder, Int32(MNT_DETACH)) }
}
