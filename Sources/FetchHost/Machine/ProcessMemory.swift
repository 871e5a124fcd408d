import CSystem

package enum ProcessMemory {
  /// Gives back to the system what was allocated and is not any more: what a large config took to be
  /// read would else stay with the process for as long as it lives.
  package static func trim() { memory_trim() }

  /// Lets all threads share as many heaps as can be used at once. The C library would give each
  /// thread one of its own, and what is freed in one is of no use to the others: a tenth of what a
  /// mirror of 10,000 files took. To be called before there are other threads.
  package static func shareHeaps() { memory_share(Int32(clamping: HostExecutor.processorCount)) }
}
