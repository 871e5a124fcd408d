import FetchValues
import Glibc

/// The file with the index of one config file, in the cache folder. It only saves time: if it
/// cannot be read or written, or does not fit, the whole config is read.
struct ConfigIndexFile {
  /// The minimum size of a config with an index, in bytes. A smaller config is read in about the
  /// time that the program needs to start.
  static let configBytesMin = 256 << 10

  private let path: String
  private let config: [UInt8]
  /// The SHA-256 of the config.
  private let digest: [UInt8]

  /// Returns nil if the config is too small, or if its path cannot be resolved.
  init?(of path: String, containing config: [UInt8], in cacheFolder: String) {
    guard config.count >= Self.configBytesMin, let target = realpath(path, nil) else { return nil }
    defer { free(target) }
    let place = SHA256.hash(data: Array(String(cString: target).utf8))
    // One byte limits the number of files to 256. If two configs have the same file, each replaces
    // the index of the other.
    self.path = cacheFolder + "/configs/" + Hexadecimal.text(of: Array(place.prefix(1)))
    self.config = config
    digest = SHA256.hash(data: config)
  }

  /// Returns the part of the config with the named jobs; nil if the index does not fit, or lacks a
  /// job.
  func part(naming names: Set<JobName>) -> ConfigIndex.Part? {
    read().flatMap { part(naming: names, by: $0) }
  }

  func part(naming names: Set<JobName>, by index: [UInt8]) -> ConfigIndex.Part? {
    ConfigIndex.part(of: config, digest: digest, naming: names, by: index)
  }

  /// Returns an index of the config; nil if the jobs cannot be read separately.
  ///
  /// - Parameter reading: the contents of the config, which has no problems.
  func index(of reading: ConfigReader.Reading) -> [UInt8]? {
    ConfigOutline(config, reading).map { ConfigIndex.encoded($0, digest: digest) }
  }

  // MARK: The file

  /// Returns the bytes of the file; nil if there is none, or if another user can change it.
  private func read() -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      facts.st_uid == geteuid(), facts.st_mode & (S_IWGRP | S_IWOTH) == 0
    else { return nil }
    return try? ConfigFile.bytes(from: descriptor, path)
  }

  /// Replaces the file. It is written under another name, so that no process reads half a file.
  func write(_ index: [UInt8]) {
    for slash in path.indices.dropFirst() where path[slash] == "/" {
      mkdir(String(path[..<slash]), 0o700)
    }
    let draft = "\(path).\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    let count = index.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    if count != index.count || rename(draft, path) != 0 { unlink(draft) }
  }
}
