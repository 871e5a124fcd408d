import CHost
import Glibc

/// The resources of the machine that this process uses.
package enum ProcessUsage {
  /// Returns the CPU time of all threads so far, without that of child processes.
  package static func cpu() -> Duration {
    var time = timespec()
    guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return .zero }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Returns the resident memory in bytes; nil if the system does not report it.
  package static func residentBytes() -> Int64? {
    let fields = SmallFile.line("/proc/self/statm")?.split(separator: " ")
    guard let fields, fields.count > 1, let pages = Int64(fields[1]) else { return nil }
    return pages &* Int64(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// Returns the size of a file in bytes; nil if the file cannot be examined, for example because
  /// it does not exist.
  package static func fileBytes(_ path: String) -> Int64? {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : nil
  }
}

package enum ProcessMemory {
  /// Returns freed memory to the system, such as the memory that was used to read a large config.
  package static func trim() { memory_trim() }

  /// Keeps this process's memory, which may contain secrets, out of core dumps and unreadable for
  /// other processes of the same user. Programs that this process starts can enable core dumps of
  /// their own.
  package static func keepPrivate() { memory_keep_private() }

  /// Sets the maximum number of heaps, which all threads share. The C library's default is a higher
  /// number. Each heap keeps its freed memory to itself. With the default, a tenth of the process's
  /// memory was such free memory while a job mirrored 10,000 files. With one heap for each
  /// processor, the other threads, such as that of the store, often waited for a heap. Call the
  /// function before other threads start.
  package static func shareHeaps() {
    memory_share(Int32(clamping: HostExecutor.processorCount + otherThreadCount))
  }

  /// The number of threads that allocate memory, besides those of `HostExecutor`.
  private static let otherThreadCount = 6
}
