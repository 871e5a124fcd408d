import FetchSandbox
import FetchValues

/// Any pure library function with any arguments. The first byte chooses the function. The rest is
/// the encoded list of arguments, or else the text of a single argument.
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
