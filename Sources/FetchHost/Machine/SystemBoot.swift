/// The current boot of the system.
package enum SystemBoot {
  /// The id of this boot, which differs from the id of any other boot; nil if the kernel does not
  /// report an id.
  package static let id: String? = SmallFile.line("/proc/sys/kernel/random/boot_id")
}
