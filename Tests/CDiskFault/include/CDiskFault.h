// A disk that fails: for the process that this is linked into, one call of fdatasync or fsync says
// EIO, and the next ones succeed again, as Linux does once it has dropped what it could not write.
#pragma once

// The call with that number from now on fails; 1 is the next one. 0: none does.
void disk_fault_fail_sync(long number);
