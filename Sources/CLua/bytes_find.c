#define _GNU_SOURCE // memmem
#include "bytes_find.h"

#include <string.h>

// The number of places at which the first byte is tried with memchr before memmem is used. memmem
// first prepares a table, which costs more than most searches in short strings. memchr is faster
// unless the first byte is frequent.
#define TRIES_MAX 8

const char *bytes_find(
    const char *hay, size_t hay_count, const char *needle, size_t needle_count) {
  if (needle_count == 0) return hay;
  if (hay_count < needle_count) return NULL;
  size_t places = hay_count - needle_count + 1;
  for (int tries = 0; needle_count == 1 || tries < TRIES_MAX; tries++) {
    const char *hit = memchr(hay, needle[0], places);
    if (hit == NULL || memcmp(hit, needle, needle_count) == 0) return hit;
    places -= (size_t)(hit - hay) + 1;
    hay = hit + 1;
    if (places == 0) return NULL;
  }
  return memmem(hay, places + needle_count - 1, needle, needle_count);
}
