import FetchValues
import LuaVM
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// One attack in a Lua file. The first line of the file has the expected ends of the run, after
/// `-- expect: `: one or more failure codes, or `noData`.
struct Attack: CustomTestStringConvertible, Sendable {
  let name: String
  var testDescription: String { name }

  static let folder =
    #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    + "/Attacks"

  static let all: [Attack] = {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".lua") { names.append(String(name.dropLast(4))) }
    }
    return names.sorted().map(Attack.init)
  }()

  func source() throws -> String {
    guard let file = fopen("\(Self.folder)/\(name).lua", "r") else { throw AttackError.unreadable }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  static func expectations(in source: String) -> [Substring] {
    guard let line = source.split(separator: "\n").first, line.hasPrefix("-- expect: ") else {
      return []
    }
    return line.dropFirst("-- expect: ".count).split(separator: " ")
  }
}

enum AttackError: Error { case unreadable }

@Suite(.serialized) struct AttackTests {
  @Test func `the folder of attacks is not empty`() { #expect(Attack.all.count > 100) }

  @Test(arguments: Attack.all) func `an attack ends only its own run, in time`(attack: Attack)
    throws
  {
    let source = try attack.source()
    let run = try TestRun(source)
    let step = run.start()
    let code =
      switch step {
      case .killed(.cpu): "cpuLimit"
      case .killed(.memory): "memoryLimit"
      case .failed: run.output["code"]?.stringValue ?? "pluginError"
      case .finished: "noData"
      default: "\(step)"
      }
    #expect(Attack.expectations(in: source).contains(Substring(code)), "\(code): \(run.output)")
    #expect(run.run.usage.cpuNanoseconds <= 2 * TestRun.limits.cpuNanosecondsMax)
    #expect(run.run.usage.memoryBytesPeak <= TestRun.limits.memoryBytesMax)
  }
}
