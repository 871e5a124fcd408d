// A simulated fault of a disk. In a process that links this library, one call of fdatasync or fsync
// fails with EIO, and the next ones succeed again. Linux does the same after it has dropped the
// pages that it could not write.
#pragma once

// Makes one call from now on fail: number 1 is the next one, 0 makes none fail.
void disk_fault_fail_sync(long number);
