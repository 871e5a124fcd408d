/// Tells one start of the system from the next.
package enum SystemBoot {
  /// Nil where the kernel does not say.
  package static let id: String? = SmallFile.line("/proc/sys/kernel/random/boot_id")
}
