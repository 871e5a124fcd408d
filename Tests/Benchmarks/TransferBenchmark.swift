import Foundation

/// The CPU time of a large download by a plugin's `ctx:transfer`, from start to exit, compared with
/// `curl -o` of the same file. The benchmark also measures the memory for a larger file.
struct TransferBenchmark {
  static let bytes: Int64 = 1 << 30
  static let memoryBytes: Int64 = 2 << 30
  static let ratioMax = 2.0
  static let mebibytesMax = 64.0
  /// The number of repeats. Each repeat runs both programs, so that other load on the machine
  /// affects both.
  static let repeats = 5

  let server: FeedServer
  let farm: FeedFarm
  let scratch: URL
  let product: Product

  private static let plugin = """
    return {
      api = 1, name = "puller", version = "1.0.0",
      options = { url = { type = "url", required = true } },
      permissions = { http = { "{options.url}" } },
      fetch = function(ctx)
        assert(ctx:transfer { url = ctx.options.url, to = "big" })
      end,
    }

    """

  private var plugin: URL { scratch.appending(path: "puller.lua") }
  private var root: URL { scratch.appending(path: "pulled") }
  private var curled: URL { scratch.appending(path: "curled") }

  func measure() throws -> String {
    try Self.plugin.write(to: plugin, atomically: false, encoding: .utf8)
    let url = try offer(Self.bytes)
    // The first download is not measured, because it fills the system's cache of files.
    _ = try curl(url, Self.bytes)
    var curls: [Usage] = []
    var ours: [Usage] = []
    for number in 0..<Self.repeats {
      report("1 GiB, \(number + 1) of \(Self.repeats)")
      if number % 2 == 0 { curls.append(try curl(url, Self.bytes)) }
      ours.append(try fetchrun(url, Self.bytes))
      if number % 2 == 1 { curls.append(try curl(url, Self.bytes)) }
    }
    report("2 GiB")
    let large = try fetchrun(try offer(Self.memoryBytes), Self.memoryBytes)
    let ratios = zip(ours, curls).map { $0.cpuSeconds / $1.cpuSeconds }
    var table = Table()
    table.add("1 GiB", "CPU s", "wall s", "× curl", "of pairs", "at most")
    table.add("curl -o", seconds(curls, \.cpuSeconds), seconds(curls, \.wallSeconds))
    table.add(
      "fetchrun --plugin", seconds(ours, \.cpuSeconds), seconds(ours, \.wallSeconds),
      ratios.median.text(2), ratios.map { $0.text(2) }.joined(separator: " "),
      Self.ratioMax.text(1))
    return """
      \(table.text)
      memory of a download of 2 GiB: \(mebibytes(large.peakBytes)) MiB in the largest process, \
      \(mebibytes(large.peakSumBytes)) in all (at most \(Self.mebibytesMax.text(0)))
      """
  }

  private func seconds(_ usages: [Usage], _ part: (Usage) -> Double) -> String {
    usages.map(part).median.text(3)
  }

  private func mebibytes(_ bytes: Int) -> String { (Double(bytes) / 1_048_576).text(1) }

  /// Creates a sparse file of `bytes` bytes and returns the file's address.
  private func offer(_ bytes: Int64) throws -> String {
    let file = farm.folder.appending(path: "big-\(bytes)")
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    defer { close(descriptor) }
    guard descriptor >= 0, ftruncate(descriptor, off_t(bytes)) == 0 else {
      throw BenchmarkError("cannot make \(file.path)")
    }
    return "http://127.0.0.1:\(server.port)/big-\(bytes)"
  }

  private func curl(_ url: String, _ bytes: Int64) throws -> Usage {
    defer { unlink(curled.path) }
    let usage = try ChildProcess("curl", ["-q", "--silent", "-o", curled.path, url]).wait()
    try usage.check("curl")
    try check(curled, bytes)
    return usage
  }

  private func fetchrun(_ url: String, _ bytes: Int64) throws -> Usage {
    defer { try? FileManager.default.removeItem(at: root) }
    product.forgetStore()
    let usage = try product.start(plugin: plugin, url: url, filesRoot: root).wait(sampling: true)
    guard usage.exitStatus == 0 else {
      throw BenchmarkError(
        "fetchrun ended with exit status \(usage.exitStatus): \(product.messageText)")
    }
    try check(root.appending(path: "big"), bytes)
    return usage
  }

  private func check(_ file: URL, _ bytes: Int64) throws {
    var facts = stat()
    guard stat(file.path, &facts) == 0, facts.st_size == bytes else {
      throw BenchmarkError("\(file.path) has the wrong size")
    }
  }
}
