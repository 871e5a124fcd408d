import CHost

package enum ProcessMemory {
  /// Gives back to the system what was allocated and is not any more: what a large config took to be
  /// read would else stay with the process for as long as it lives.
  package static func trim() { memory_trim() }

  /// Keeps what this process has in memory, secrets too, from core dumps and from other processes of
  /// its user. What programs it starts may leave core dumps of their own, where they ask for them.
  package static func keepPrivate() { memory_keep_private() }

  /// Lets all threads share as many heaps as can be used at once. The C library would give each
  /// thread one of its own, and what is freed in one is of no use to the others: a tenth of what a
  /// mirror of 10,000 files took. To be called before there are other threads.
  package static func shareHeaps() { memory_share(Int32(clamping: HostExecutor.processorCount)) }
}
