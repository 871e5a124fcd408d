import CHost
import FetchModel
import FetchValues
import Glibc

/// Keys of type `user` in the kernel's keyrings: those that `keyctl padd user NAME @u` puts there.
enum KernelKeyring {
  static func read(_ name: String) throws(SecretProblem) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: SecretValue.bytesMax)
    let count = keyring_read(name, &bytes, bytes.count)
    guard count >= 0 else { throw problem(name, Int32(clamping: -count)) }
    guard count <= bytes.count else {
      throw SecretProblem(
        "the key '\(name)' of the kernel's keyring is longer than \(bytes.count) bytes")
    }
    return Array(bytes[..<count])
  }

  private static func problem(_ name: String, _ code: Int32) -> SecretProblem {
    switch code {
    case ENOKEY:
      SecretProblem(
        "there is no key '\(name)' in the kernel's keyrings of this session; "
          + "add it with keyctl padd user \(name) @u")
    case EKEYEXPIRED, EKEYREVOKED:
      SecretProblem("the key '\(name)' of the kernel's keyring has expired or was revoked")
    case EACCES, EPERM:
      SecretProblem(
        "the kernel does not let this process read the key '\(name)'; "
          + "link it to the session's keyring with keyctl link")
    case ENOSYS: SecretProblem("this kernel or container has no keyrings")
    default:
      SecretProblem(
        "the key '\(name)' of the kernel's keyring cannot be read: \(String(cString: strerror(code)))"
      )
    }
  }
}
