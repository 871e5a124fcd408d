import Foundation

/// The cost of a mirror by `file-sync`, compared with a mirror by `rclone sync` of the same tree
/// from the same server. The two programs alternate, in a first run and in runs that find nothing
/// changed.
struct SyncBenchmark {
  /// The limit of the memory of every process, in megabytes: 64 MiB.
  static let megabytesMax = Double(64 << 20) / 1e6

  /// Returns the number of pairs of first mirrors. From a WebDAV server, rclone takes two minutes.
  ///
  /// Each mirror has a new folder, and none is removed before the end, because the kernel creates
  /// files slowly for some seconds after others were deleted.
  private static func firstRepeats(_ kind: CollectionServer.Kind) -> Int {
    kind == .nginx ? 3 : 1
  }

  let product: Product
  let scratch: URL
  let repeats: Int
  private let tree: FileTree

  init(product: Product, scratch: URL, fileCount: Int, repeats: Int) throws {
    self.product = product
    self.scratch = scratch
    self.repeats = repeats
    report("making \(fileCount) files")
    // The user that the servers run as must be able to enter the folder.
    chmod(scratch.path, 0o755)
    tree = try FileTree(count: fileCount, in: scratch.appending(path: "tree"))
  }

  func measure() throws -> String {
    var table = Table()
    table.add(
      "\(tree.count) files from", "phase", "fetchrun s", "rclone s", "times", "at most",
      "fetchrun wall s", "rclone wall s", "fetchrun MB", "its worker", "at most", "together",
      "rclone MB")
    for kind in CollectionServer.Kind.allCases {
      guard kind.isInstalled else {
        report("\(kind.rawValue) is not installed")
        continue
      }
      let server = try CollectionServer(
        kind, serving: tree.folder, scratch: scratch.appending(path: "server"))
      defer { server.stop() }
      try measure(kind, server.url, &table)
    }
    return table.text
      + "\nmedian CPU of \(repeats) pairs, and of 3 first mirrors from nginx and 1 from others; host"
      + " and workers together"
  }

  private func measure(
    _ kind: CollectionServer.Kind, _ url: String, _ table: inout Table
  ) throws {
    let name = kind.rawValue
    var firsts: [(Usage, Usage)] = []
    var (config, copy) = (scratch, scratch)
    for number in 1...Self.firstRepeats(kind) {
      report("\(name): first mirrors, pair \(number)")
      let folder = scratch.appending(path: "\(name) \(number)".replacing(" ", with: "-"))
      let mirror = folder.appending(path: "ours")
      copy = folder.appending(path: "theirs")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      product.forgetStore()
      config = try product.configureMirror(of: url, kind: kind.sourceKind, in: mirror)
      // The two programs alternate in being the first one.
      let before = try number.isMultiple(of: 2) ? theirs(kind, url, copy) : nil
      let own = try ours(config, outcome: "newData", added: tree.count)
      firsts.append((own, try before ?? theirs(kind, url, copy)))
      try tree.isSame(as: mirror)
      try tree.isSame(as: copy)
    }
    add(name, "first", firsts, &table)
    // The first run that finds nothing changed is not measured.
    _ = try ours(config, outcome: "noData", added: 0)
    report("\(name): unchanged")
    var pairs: [(Usage, Usage)] = []
    for _ in 0..<repeats {
      pairs.append(
        (try ours(config, outcome: "noData", added: 0), try theirs(kind, url, copy)))
    }
    add(name, "unchanged", pairs, &table)
  }

  private func ours(_ config: URL, outcome: String, added: Int) throws -> Usage {
    let (usage, lines) = try product.run(config: config)
    try usage.check("fetchrun run")
    guard let line = lines.first, line.outcome == outcome, line.added ?? 0 == added else {
      throw BenchmarkError("a run was not \(outcome) with \(added) added: \(lines)")
    }
    return usage
  }

  private func theirs(
    _ kind: CollectionServer.Kind, _ url: String, _ folder: URL
  ) throws -> Usage {
    let usage = try ChildProcess(
      "rclone",
      ["sync", kind.rcloneSource(url), folder.path, "--config", "/dev/null"]
    ).wait(sampling: true)
    try usage.check("rclone sync")
    return usage
  }

  private func add(
    _ name: String, _ phase: String, _ pairs: [(ours: Usage, theirs: Usage)], _ table: inout Table
  ) {
    func median(_ value: ((ours: Usage, theirs: Usage)) -> Double) -> Double {
      pairs.map(value).median
    }
    func megabytes(_ bytes: KeyPath<(ours: Usage, theirs: Usage), Int>) -> String {
      (pairs.map { Double($0[keyPath: bytes]) / 1e6 }.max() ?? 0).text(1)
    }
    table.add(
      name, phase, median(\.ours.cpuSeconds).text(3), median(\.theirs.cpuSeconds).text(3),
      median { $0.ours.cpuSeconds / $0.theirs.cpuSeconds }.text(2), "1",
      median(\.ours.wallSeconds).text(2), median(\.theirs.wallSeconds).text(2),
      megabytes(\.ours.peakBytes), megabytes(\.ours.peakChildBytes),
      Self.megabytesMax.text(0), megabytes(\.ours.peakSumBytes), megabytes(\.theirs.peakBytes))
  }
}
