import FetchHost
import FetchModel
import FetchValues
import FetchWire
import Foundation
import Testing

/// A worker program that sends a greeting, accepts a plugin, and answers its first run with frames
/// that a test prepared.
struct HostileWorker {
  private let path: URL

  /// The use of CPU time that the program begins without waiting for a frame.
  enum Deed: UInt32 {
    /// Computes without end.
    case computes = 0xffff_ffff
    /// Computes without end, and sends bytes of a frame that it never completes.
    case dribbles = 0xffff_fffe
    /// Uses 1.5 s of CPU time.
    case computesBriefly = 0xffff_fffd
    /// Takes 128 MiB of memory, and then does nothing.
    case takesMemory = 0xffff_fffc
  }

  private static let program = URL(filePath: CommandLine.arguments[0])
    .deletingLastPathComponent().appending(path: "HostileWorker")

  /// - Parameters:
  ///   - manifest: the encoded plugin's table that the worker sends.
  ///   - first: what the worker does at the start of its first run, before it sends frames.
  ///   - last: what the worker does after it has sent the frames.
  ///   - says: writes the frames that the worker sends for its first run. The run's number is 1.
  init(
    manifest: [UInt8] = ([:] as Value).encoded, first: Deed? = nil, last: Deed? = nil,
    says: (inout FrameWriter) throws(WireError) -> Void
  ) throws {
    path = FileManager.default.temporaryDirectory.appending(path: "hostile-\(UUID().uuidString)")
    try #require(
      FileManager.default.isExecutableFile(atPath: Self.program.path), "build HostileWorker first")
    var script = Data("#!\(Self.program.path)\n".utf8)
    func append(number: UInt32) {
      withUnsafeBytes(of: number.littleEndian) { script.append(contentsOf: $0) }
    }
    func append(part: Data) {
      append(number: UInt32(part.count))
      script.append(part)
    }
    append(part: try Self.bytes { writer throws(WireError) in try writer.hello(Self.good) })
    append(part: try Self.bytes { writer throws(WireError) in try writer.loaded(manifest) })
    if let first {
      // The program waits for the start of the run before it sends this empty part.
      append(part: Data())
      append(number: first.rawValue)
    }
    append(part: try Self.bytes(says))
    if let last { append(number: last.rawValue) }
    try script.write(to: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path.path)
  }

  private static var good: IsolationReport {
    var report = IsolationReport()
    report.seccomp = true
    report.noNewPrivileges = true
    report.resourceLimits = true
    return report
  }

  /// Returns the bytes that `write` writes to a temporary file.
  private static func bytes(
    _ body: (inout FrameWriter) throws(WireError) -> Void
  ) throws -> Data {
    let file = FileManager.default.temporaryDirectory.appending(path: "part-\(UUID().uuidString)")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let handle = try FileHandle(forWritingTo: file)
    var writer = FrameWriter()
    try body(&writer)
    #expect(try writer.flush(to: handle.fileDescriptor))
    try handle.close()
    return try Data(contentsOf: file)
  }

  /// Runs a plugin in the worker. Returns the end of the run.
  func run(
    limits: RunLimits = RunLimits(), isolation: WorkerRun.Isolation = .shared,
    memoryBytesBase: Int? = nil, calls: any HostCallHandler = NoCalls()
  ) async -> WorkerRunEnd {
    var configuration = WorkerPoolConfiguration(executable: path.path)
    if let memoryBytesBase { configuration.memoryBytesBase = memoryBytesBase }
    let pool = WorkerPool(configuration: configuration)
    var run = WorkerRun(plugin: .fetching(""), seed: 1)
    run.limits = limits
    run.isolation = isolation
    let end = await pool.run(run, calls: calls)
    await pool.shutdown()
    try? FileManager.default.removeItem(at: path)
    return end
  }

  /// Loads a plugin in the worker, and returns the plugin's table as the pool reads it.
  func inspect() async -> Result<Value, Failure> {
    let pool = WorkerPool(configuration: WorkerPoolConfiguration(executable: path.path))
    let result = await pool.inspect(.fetching(""))
    await pool.shutdown()
    try? FileManager.default.removeItem(at: path)
    return result
  }
}
