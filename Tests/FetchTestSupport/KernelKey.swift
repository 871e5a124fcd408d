import Foundation

/// Keys in the kernel's keyrings, for tests.
package enum KernelKey {
  private typealias SystemCall =
    @convention(c) (Int, UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>, Int, Int)
    -> Int
  private typealias KeyControl = @convention(c) (Int, Int, Int, Int) -> Int

  package enum Ring: Int {
    /// The keyring of this process alone.
    case process = -2
    /// The keyring of the session, which started programs also have.
    case session = -3
  }

  package static let isAllowed = add("fetchrun-test-\(UUID().uuidString)", "v") != nil

  #if arch(x86_64)
    private static let (addNumber, controlNumber) = (248, 250)
  #else
    private static let (addNumber, controlNumber) = (217, 219)
  #endif
  private static let setTimeout = 15
  /// The lifetime of a key in seconds. The lifetime is limited because a session outlives the
  /// tests.
  private static let secondsMax = 120

  /// Adds a key and returns its name. Returns nil if the kernel refuses the key.
  package static func add(_ name: String, _ value: String, to ring: Ring = .process) -> String? {
    guard let symbol = dlsym(nil, "syscall") else { return nil }
    let call = unsafeBitCast(symbol, to: SystemCall.self)
    let key = call(addNumber, "user", name, value, value.utf8.count, ring.rawValue)
    guard key >= 0 else { return nil }
    _ = unsafeBitCast(symbol, to: KeyControl.self)(controlNumber, setTimeout, key, secondsMax)
    return name
  }
}
