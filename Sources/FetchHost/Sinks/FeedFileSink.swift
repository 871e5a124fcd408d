package import FetchModel
package import FetchValues
import Glibc

/// A sink that appends deliveries to a file as lines of JSON, or keeps a feed of the newest items.
///
/// A delivery is reported as received only when it is on the disk. If the process ends after the
/// write but before the report, the delivery is appended again. A reader recognises the duplicate
/// by the delivery's key, which each line of an item contains. A feed contains each item once.
///
/// A file on a disk that does not answer delays only its own deliveries (see `FileAttempt`). A path
/// that is not a regular file is refused with a failure that is retried, because the user can fix
/// the path.
package struct FeedFileSink: DeliverySink {
  private let settings: FeedFileSettings
  private let hook: HookName
  private let now: @Sendable () -> Timestamp
  private let itemsBytesMax: Int
  private let timeout: Duration

  /// - Parameters:
  ///   - itemsBytesMax: the maximum total size of a feed's items, in bytes. It is limited because
  ///     all items are in memory when the feed is written. The feed keeps the newest items. A
  ///     single item above the limit is left out.
  ///   - timeout: the time limit of one delivery, including its wait for other deliveries to the
  ///     same path. A delivery that takes longer fails.
  package init(
    _ settings: FeedFileSettings, hook: HookName, itemsBytesMax: Int = 64 << 20,
    timeout: Duration = .seconds(30), now: @escaping @Sendable () -> Timestamp
  ) {
    self.settings = settings
    self.hook = hook
    self.itemsBytesMax = itemsBytesMax
    self.timeout = timeout
    self.now = now
  }

  package func deliver(_ batch: DeliveryBatch) async -> DeliveryEnd {
    let attempt = FileAttempt(settings.path, timeout: timeout) { [self] attempt in
      do throws(DeliveryFailure) {
        if settings.format == .jsonl {
          try append(batch, attempt)
        } else {
          try rewrite(batch, attempt)
        }
        return .delivered
      } catch {
        return .failed(error)
      }
    }
    return await attempt.run(in: .shared)
  }

  // MARK: Lines

  private func append(
    _ batch: DeliveryBatch, _ attempt: FileAttempt
  ) throws(DeliveryFailure) {
    let file = try SinkFile.open(settings.path, O_RDWR | O_APPEND | O_CREAT, mode: 0o600)
    guard let file else { throw failure("cannot be opened") }
    defer { close(file) }
    SinkFile.lock(file)
    guard attempt.beginWriting() else { return }
    var bytes = Array(Self.lines(of: batch).map { $0 + "\n" }.joined().utf8)
    // Adds the missing line feed after an incomplete line, which a killed process may have left.
    let isEmpty = lseek(file, 0, SEEK_END) == 0
    if Self.lastByte(of: file) != UInt8(ascii: "\n") { bytes.insert(UInt8(ascii: "\n"), at: 0) }
    try write(bytes, to: file)
    guard fsync(file) == 0 else { throw failure("cannot be written") }
    // A power cut could otherwise remove the entry of a new file.
    if isEmpty { syncFolder() }
  }

  static func lines(of batch: DeliveryBatch) -> [String] {
    var lines: [String] = []
    for (delivery, payload) in zip(batch.deliveries, batch.payloads) {
      let items = (payload["items"]?.arrayValue ?? []).compactMap(\.objectValue)
      if items.isEmpty { lines.append(delivery.payload) }
      for var item in items {
        item.append("delivery", .string(batch.key))
        if let line = try? JSONWriter.text(.object(item)) { lines.append(line) }
      }
    }
    return lines
  }

  /// Returns the last byte of the file; a line feed if the file is empty or cannot be read.
  private static func lastByte(of file: Int32) -> UInt8 {
    let size = lseek(file, 0, SEEK_END)
    var byte = UInt8(ascii: "\n")
    if size > 0, pread(file, &byte, 1, size - 1) != 1 { byte = UInt8(ascii: "\n") }
    return byte
  }

  // MARK: Feeds

  /// The path of the file that stores the items of a feed. This file is in the feed's folder and
  /// has one item on each line, newest first.
  private var itemsPath: String { settings.path + ".items" }

  private func rewrite(
    _ batch: DeliveryBatch, _ attempt: FileAttempt
  ) throws(DeliveryFailure) {
    try SinkFile.refuseOther(at: settings.path)
    let folder = openFolder()
    defer { if let folder { close(folder) } }
    // The folder is locked, because the feed itself is replaced by a new file each time.
    let isAlone = folder.map(SinkFile.lock) ?? false
    guard attempt.beginWriting() else { return }
    if isAlone { removeLeftovers() }
    // A batch without items does not change an existing feed.
    if batch.items.isEmpty, access(settings.path, F_OK) == 0 { return }
    var items = try storedItems()
    for item in batch.items {
      let id = [item["job"], item["id"]]
      items.removeAll { [$0["job"], $0["id"]] == id }
      if item["change"]?.stringValue != ChangeKind.removed.word { items.insert(item, at: 0) }
    }
    items = fitting(items)
    let feed = WrittenFeed(
      title: settings.title ?? hook.text, url: settings.url, items: items, updatedAt: now())
    try replace(itemsPath, feed.text(as: .jsonl) + "\n", mode: 0o600)
    // Feeds are meant to be readable by other users, so the umask decides which users may read a
    // feed.
    try replace(settings.path, feed.text(as: settings.format), mode: 0o666)
  }

  /// Returns the newest items, up to the limits of their number and of their total size. A single
  /// item that is larger than the size limit is left out.
  private func fitting(_ items: [ValueObject]) -> [ValueObject] {
    var room = itemsBytesMax
    var kept: [ValueObject] = []
    for item in items {
      let size = ((try? JSONWriter.text(.object(item)))?.utf8.count ?? 0) + 1
      if size > itemsBytesMax { continue }
      room -= size
      if room < 0 || kept.count == settings.itemCount { break }
      kept.append(item)
    }
    return kept
  }

  private func storedItems() throws(DeliveryFailure) -> [ValueObject] {
    let file = try SinkFile.open(itemsPath, O_RDONLY)
    if file == nil, errno == ENOENT { return [] }
    guard let file else { throw failure("cannot be read") }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(file, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("cannot be read") }
      if count == 0 { break }
      bytes += chunk[..<count]
      // The newest items come first, so all remaining items are beyond the limit.
      if bytes.count > itemsBytesMax { break }
    }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      (try? JSONReader.decode(Array(line)))?.objectValue
    }
  }

  /// Replaces the file at the path in one step. The name of the temporary file cannot be guessed,
  /// so other users cannot put a link in its place.
  private func replace(
    _ path: String, _ text: String, mode: mode_t
  ) throws(DeliveryFailure) {
    let new = folderPrefix + SinkFile.newName()
    let file = open(
      new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, mode)
    guard file >= 0 else { throw failure("cannot be written") }
    defer { close(file) }
    do throws(DeliveryFailure) {
      try write(Array(text.utf8), to: file)
      guard fsync(file) == 0, rename(new, path) == 0 else { throw failure("cannot be written") }
    } catch {
      unlink(new)
      throw error
    }
    syncFolder()
  }

  /// Removes the unfinished files of killed processes. Call this function only while the folder is
  /// locked.
  private func removeLeftovers() {
    for name in FolderNames.all(in: folderPrefix) where SinkFile.isNew(name) {
      unlink(folderPrefix + name)
    }
  }

  private var folderPrefix: String {
    settings.path.hasSlash ? settings.path.folderPrefix : "./"
  }

  private func syncFolder() {
    guard let descriptor = openFolder() else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private func openFolder() -> Int32? {
    let descriptor = open(folderPrefix, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    return descriptor >= 0 ? descriptor : nil
  }

  private func write(_ bytes: [UInt8], to file: Int32) throws(DeliveryFailure) {
    let isWritten = bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = Glibc.write(file, part.baseAddress, part.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
    guard isWritten else { throw failure("cannot be written") }
  }

  private func failure(_ what: String) -> DeliveryFailure {
    guard errno == ENOENT, let end = settings.path.lastSlash else {
      return DeliveryFailure("\(settings.path) \(what): \(String(cString: strerror(errno)))")
    }
    return DeliveryFailure(
      "\(settings.path) \(what): there is no folder \(settings.path[..<end]); create it")
  }
}
