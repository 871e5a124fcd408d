#include <sqlite3.h>

// Makes SQLite not count the memory that it has allocated, which takes a mutex for each allocation.
// Only the first call in a process has an effect, before SQLite is used. (Swift cannot call
// functions with a variable number of arguments.)
static inline int sqlite3_leave_memory_uncounted(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
