import CHost

package enum ProcessMemory {
  /// Returns freed memory to the system. Otherwise the process would keep the memory that was used
  /// to read a large config until it ends.
  package static func trim() { memory_trim() }

  /// Keeps this process's memory, which contains secrets, out of core dumps and unreadable for
  /// other processes of the same user. Programs that this process starts can enable core dumps of
  /// their own.
  package static func keepPrivate() { memory_keep_private() }

  /// Lets all threads share a few heaps, one for each processor. By default the C library gives
  /// each thread its own heap, and other threads cannot reuse memory that is freed there. Such
  /// memory was a tenth of the process's memory in a mirror of 10,000 files. Call it before other
  /// threads start.
  package static func shareHeaps() { memory_share(Int32(clamping: HostExecutor.processorCount)) }
}
