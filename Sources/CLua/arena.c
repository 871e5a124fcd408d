#include "arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The size of a chunk. A new state takes about 15 KB, so little of its last chunk is unused.
#define CHUNK_BYTES 8192
// The maximum number of chunks that a thread keeps for its next runs (4 MiB).
#define POOL_CHUNKS_MAX 512

// The factor by which the memory taken from the process may exceed a run's limit. A freed block is
// only reused for its own size class. Without this factor, a script could therefore multiply its
// limit by filling one class after another.
#define FOOTPRINT_FACTOR_MAX 2

struct arena_chunk {
  arena_chunk *next;
  uint64_t alignment;
};

struct arena_large {
  arena_large *next;
  arena_large *previous;
};

struct arena_free {
  arena_free *next;
};

static _Thread_local arena_chunk *pool;
static _Thread_local size_t pool_count;

void arena_open(arena *arena, size_t used_max) {
  memset(arena, 0, sizeof *arena);
  // A quarter of the address space exceeds any limit, and keeps the sums below from overflowing.
  arena->used_max = used_max < SIZE_MAX / 4 ? used_max : SIZE_MAX / 4;
}

static bool admits(const arena *arena, size_t additional) {
  return additional <= arena->used_max && arena->used <= arena->used_max - additional;
}

static bool admits_footprint(const arena *arena, size_t additional) {
  size_t footprint_max = arena->used_max * FOOTPRINT_FACTOR_MAX + CHUNK_BYTES;
  return additional <= footprint_max && arena->footprint <= footprint_max - additional;
}

static void count_used(arena *arena, size_t additional) {
  arena->used += additional;
  if (arena->used > arena->used_peak) arena->used_peak = arena->used;
}

static size_t class_of(size_t size) { return (size - 1) / ARENA_CLASS_BYTES; }
static size_t class_bytes(size_t class) { return (class + 1) * ARENA_CLASS_BYTES; }

static bool add_chunk(arena *arena) {
  if (!admits_footprint(arena, CHUNK_BYTES)) return false;
  arena_chunk *chunk = pool;
  if (chunk != NULL) {
    pool = chunk->next;
    pool_count--;
  } else if ((chunk = malloc(CHUNK_BYTES)) == NULL) {
    return false;
  }
  chunk->next = arena->chunks;
  arena->chunks = chunk;
  arena->footprint += CHUNK_BYTES;
  arena->bump = (unsigned char *)(chunk + 1);
  arena->bump_end = (unsigned char *)chunk + CHUNK_BYTES;
  return true;
}

static void free_small(arena *arena, void *block, size_t class) {
  arena_free *freed = block;
  freed->next = arena->free[class];
  arena->free[class] = freed;
  arena->used -= class_bytes(class);
}

// Keeps the rest of a chunk for smaller blocks when the rest is too small for the next block.
static void keep_rest(arena *arena) {
  size_t rest = (size_t)(arena->bump_end - arena->bump);
  if (rest < ARENA_CLASS_BYTES) return;
  arena_free *freed = (arena_free *)arena->bump;
  size_t class = class_of(rest);
  freed->next = arena->free[class];
  arena->free[class] = freed;
}

static void *new_small(arena *arena, size_t size) {
  size_t class = class_of(size);
  size_t bytes = class_bytes(class);
  if (!admits(arena, bytes)) return NULL;
  arena_free *freed = arena->free[class];
  if (freed != NULL) {
    arena->free[class] = freed->next;
    count_used(arena, bytes);
    return freed;
  }
  if ((size_t)(arena->bump_end - arena->bump) < bytes) {
    if (arena->bump != NULL) keep_rest(arena);
    arena->bump = arena->bump_end = NULL;
    if (!add_chunk(arena)) return NULL;
  }
  void *block = arena->bump;
  arena->bump += bytes;
  count_used(arena, bytes);
  return block;
}

static void link_large(arena *arena, arena_large *header) {
  header->previous = NULL;
  header->next = arena->large;
  if (header->next != NULL) header->next->previous = header;
  arena->large = header;
}

static void unlink_large(arena *arena, arena_large *header) {
  if (header->previous != NULL) {
    header->previous->next = header->next;
  } else {
    arena->large = header->next;
  }
  if (header->next != NULL) header->next->previous = header->previous;
}

static void *new_large(arena *arena, size_t size) {
  if (!admits(arena, size) || !admits_footprint(arena, size)) return NULL;
  arena_large *header = malloc(sizeof *header + size);
  if (header == NULL) return NULL;
  link_large(arena, header);
  arena->footprint += size;
  count_used(arena, size);
  return header + 1;
}

static void free_large(arena *arena, void *block, size_t size) {
  arena_large *header = (arena_large *)block - 1;
  unlink_large(arena, header);
  arena->footprint -= size;
  arena->used -= size;
  free(header);
}

static void *resize_large(arena *arena, void *block, size_t old_size, size_t new_size) {
  if (new_size > old_size &&
      (!admits(arena, new_size - old_size) || !admits_footprint(arena, new_size - old_size))) {
    return NULL;
  }
  arena_large *header = (arena_large *)block - 1;
  unlink_large(arena, header);
  arena_large *moved = realloc(header, sizeof *header + new_size);
  if (moved == NULL) {
    link_large(arena, header);
    // Lua requires that shrinking a block never fails.
    if (new_size > old_size) return NULL;
    moved = header;
  } else {
    link_large(arena, moved);
  }
  arena->footprint = arena->footprint - old_size + new_size;
  arena->used -= old_size;
  count_used(arena, new_size);
  return moved + 1;
}

static void *new_block(arena *arena, size_t size) {
  return size <= ARENA_SMALL_BYTES_MAX ? new_small(arena, size) : new_large(arena, size);
}

static void free_block(arena *arena, void *block, size_t size) {
  if (size <= ARENA_SMALL_BYTES_MAX) {
    free_small(arena, block, class_of(size));
  } else {
    free_large(arena, block, size);
  }
}

void *arena_resize(arena *arena, void *block, size_t old_size, size_t new_size) {
  if (block == NULL) return new_size == 0 ? NULL : new_block(arena, new_size);
  if (new_size == 0) {
    free_block(arena, block, old_size);
    return NULL;
  }
  bool was_small = old_size <= ARENA_SMALL_BYTES_MAX, is_small = new_size <= ARENA_SMALL_BYTES_MAX;
  if (was_small && is_small && class_of(old_size) == class_of(new_size)) return block;
  if (!was_small && !is_small) return resize_large(arena, block, old_size, new_size);
  // Suspends the limit while a block shrinks. Lua shrinks blocks during a collection, and a refusal
  // would end a run that is about to free memory.
  size_t used_max = arena->used_max;
  if (new_size < old_size) arena->used_max = SIZE_MAX / 4;
  void *moved = new_block(arena, new_size);
  arena->used_max = used_max;
  if (moved == NULL) return NULL;
  memcpy(moved, block, old_size < new_size ? old_size : new_size);
  free_block(arena, block, old_size);
  return moved;
}

void arena_close(arena *arena) {
  while (arena->large != NULL) {
    arena_large *next = arena->large->next;
    free(arena->large);
    arena->large = next;
  }
  while (arena->chunks != NULL) {
    arena_chunk *chunk = arena->chunks;
    arena->chunks = chunk->next;
    if (pool_count < POOL_CHUNKS_MAX) {
      chunk->next = pool;
      pool = chunk;
      pool_count++;
    } else {
      free(chunk);
    }
  }
}
