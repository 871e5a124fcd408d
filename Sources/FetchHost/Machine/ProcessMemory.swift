import CSystem

package enum ProcessMemory {
  /// Gives back to the system what was allocated and is not any more: what a large config took to be
  /// read would else stay with the process for as long as it lives.
  package static func trim() { memory_trim() }
}
