import Glibc

/// A program that fuzzes one reader of hostile bytes: `Fuzz TARGET [libFuzzer's arguments]`.
/// `Tests/Fuzz/run` builds the program with the fuzzer's runtime. By default it runs all targets.
@main enum Fuzz {
  /// The work of a target for one input. The work must end without a trap, and must not access
  /// memory outside the input.
  typealias Body = @Sendable (UnsafeRawBufferPointer) -> Void

  static let targets: [(name: String, body: Body)] = [
    ("wire", WireTarget.run), ("value", ValueTarget.run), ("manifest", ManifestTarget.run),
    ("json", JSONTarget.run), ("feed", FeedTarget.run), ("libraries", LibrariesTarget.run),
  ]

  static func main() {
    let name = CommandLine.arguments.dropFirst().first ?? ""
    guard let index = targets.firstIndex(where: { $0.name == name }) else {
      let names = targets.map(\.name).joined(separator: "|")
      print("usage: Fuzz \(names) [argument of libFuzzer]...")
      exit(64)
    }
    chosenTarget = index
    exit(fuzzWithoutName())
  }

  /// Passes the program's arguments to libFuzzer, without the target's name.
  private static func fuzzWithoutName() -> Int32 {
    var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) }
    arguments.remove(at: 1)
    var count = Int32(arguments.count)
    arguments.append(nil)
    return arguments.withUnsafeMutableBufferPointer { buffer in
      guard var first = buffer.baseAddress else { return 64 }
      return runFuzzer(&count, &first, fuzzOne)
    }
  }
}

/// The selected target. The target is set once before the fuzzer runs, because the fuzzer's
/// callback is a C function without a context.
nonisolated(unsafe) private var chosenTarget = 0

private func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  Fuzz.targets[chosenTarget].body(UnsafeRawBufferPointer(start: bytes, count: count))
  return 0
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ argumentCount: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32
