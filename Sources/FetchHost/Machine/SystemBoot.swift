/// Distinguishes one start of the system from the next.
package enum SystemBoot {
  /// The id of this start; nil if the kernel does not report it.
  package static let id: String? = SmallFile.line("/proc/sys/kernel/random/boot_id")
}
