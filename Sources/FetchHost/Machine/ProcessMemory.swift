import CHost

package enum ProcessMemory {
  /// Returns freed memory to the system. Without this, the memory for reading a large config would
  /// stay with the process as long as it lives.
  package static func trim() { memory_trim() }

  /// Keeps this process's memory, with its secrets, out of core dumps and away from other processes
  /// of its user. Programs that it starts may write core dumps of their own, if they enable them.
  package static func keepPrivate() { memory_keep_private() }

  /// Lets all threads share as many heaps as can be used in parallel. By default the C library
  /// gives each thread its own heap, and no other thread reuses what is freed there. That was a
  /// tenth of the memory for a mirror of 10,000 files. Call it before there are other threads.
  package static func shareHeaps() { memory_share(Int32(clamping: HostExecutor.processorCount)) }
}
