import FetchSandbox
import FetchValues

/// The fuzz target for all pure library functions. The first byte selects the function. The other
/// bytes are the encoded list of arguments, or otherwise a single string argument.
enum LibrariesTarget {
  static func run(_ input: UnsafeRawBufferPointer) {
    guard let first = input.first else { return }
    let function = LibraryRegistry.all[Int(first) % LibraryRegistry.all.count]
    let rest = UnsafeRawBufferPointer(rebasing: input.dropFirst())
    if rest.first == ValueTag.array || rest.first == ValueTag.object {
      LibraryCalls.call(function, rest)
    } else {
      LibraryCalls.call(function.name, [.bytes(Array(rest)), .bytes(Array(rest.prefix(16)))])
      LibraryCalls.call(function.name, [.bytes(Array(rest))])
    }
  }
}
