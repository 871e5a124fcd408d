#ifndef FETCHRUN_BYTES_FIND_H
#define FETCHRUN_BYTES_FIND_H

#include <stddef.h>

// Returns the first place of `needle` in `hay`, or NULL. Takes linear time for any bytes.
const char *bytes_find(
    const char *hay, size_t hay_count, const char *needle, size_t needle_count);

#endif
