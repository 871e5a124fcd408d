import FetchSandbox
import FetchValues

/// The fuzz target for all pure library functions. The first byte selects the function. If the
/// second byte begins an array or an object, the other bytes are the encoded arguments. Otherwise
/// the other bytes are a string argument. A first call has their first 16 bytes as a second
/// argument, and a second call has only the string.
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
