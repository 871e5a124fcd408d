import Foundation

/// Adds keys to the keyring of this process, for tests.
enum KernelKey {
  private typealias SystemCall =
    @convention(c) (Int, UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>, Int, Int)
    -> Int

  private static let processKeyring = -2

  static let isAllowed = add("fetchrun-test-\(UUID().uuidString)", "v") != nil

  /// The name; nil where the kernel does not allow it.
  static func add(_ name: String, _ value: String) -> String? {
    #if arch(x86_64)
      let number = 248
    #else
      let number = 217
    #endif
    guard let symbol = dlsym(nil, "syscall") else { return nil }
    let call = unsafeBitCast(symbol, to: SystemCall.self)
    let key = call(number, "user", name, value, value.utf8.count, processKeyring)
    return key >= 0 ? name : nil
  }
}
