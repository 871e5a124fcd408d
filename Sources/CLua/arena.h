// The memory of one run. Every byte of the run's Lua state is counted, and the whole memory is
// freed in one call.
#ifndef FETCHRUN_ARENA_H
#define FETCHRUN_ARENA_H

#include <stdbool.h>
#include <stddef.h>

// The maximum size of a small block. Small blocks are allocated in chunks, by size class. Larger
// blocks are allocated with malloc.
#define ARENA_SMALL_BYTES_MAX 1024
#define ARENA_CLASS_BYTES 16
#define ARENA_CLASS_COUNT (ARENA_SMALL_BYTES_MAX / ARENA_CLASS_BYTES)

typedef struct arena_chunk arena_chunk;
typedef struct arena_large arena_large;
typedef struct arena_free arena_free;

typedef struct {
  size_t used;      // bytes that Lua uses, each block rounded up to its size class
  size_t used_peak;
  size_t used_max;
  size_t footprint; // bytes taken from the process: chunks and large blocks
  arena_chunk *chunks;
  unsigned char *bump;
  unsigned char *bump_end;
  arena_large *large;
  arena_free *free[ARENA_CLASS_COUNT];
} arena;

void arena_open(arena *arena, size_t used_max);
// Resizes a block like realloc. Returns NULL if a limit is exceeded or there is no memory.
// Shrinking never fails.
void *arena_resize(arena *arena, void *block, size_t old_size, size_t new_size);
void arena_close(arena *arena);

#endif
