// Sets of bytes: Lua's character classes in the C locale, and those of `[...]`.
#ifndef FETCHRUN_BYTE_SET_H
#define FETCHRUN_BYTE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint64_t words[4];
} byte_set;

static inline bool byte_set_has(const byte_set *set, unsigned char byte) {
  return (set->words[byte >> 6] >> (byte & 63)) & 1;
}

static inline void byte_set_add(byte_set *set, unsigned char byte) {
  set->words[byte >> 6] |= (uint64_t)1 << (byte & 63);
}

static inline void byte_set_add_all(byte_set *set, const byte_set *other, bool complement) {
  for (int i = 0; i < 4; i++) {
    set->words[i] |= complement ? ~other->words[i] : other->words[i];
  }
}

// Returns the class of a lower-case letter (`a` for `%a`), or NULL.
static inline const byte_set *byte_set_of_class(char letter) {
  static const byte_set classes[26] = {
      ['a' - 'a'] = {{0, 0x07FFFFFE07FFFFFE}},
      ['c' - 'a'] = {{0x00000000FFFFFFFF, 0x8000000000000000}},
      ['d' - 'a'] = {{0x03FF000000000000}},
      ['g' - 'a'] = {{0xFFFFFFFE00000000, 0x7FFFFFFFFFFFFFFF}},
      ['l' - 'a'] = {{0, 0x07FFFFFE00000000}},
      ['p' - 'a'] = {{0xFC00FFFE00000000, 0x78000001F8000001}},
      ['s' - 'a'] = {{0x0000000100003E00}},
      ['u' - 'a'] = {{0, 0x0000000007FFFFFE}},
      ['w' - 'a'] = {{0x03FF000000000000, 0x07FFFFFE07FFFFFE}},
      ['x' - 'a'] = {{0x03FF000000000000, 0x0000007E0000007E}},
      ['z' - 'a'] = {{1}}, // the byte 0; not documented in Lua 5.4
  };
  if (letter < 'a' || letter > 'z') return NULL;
  const byte_set *set = &classes[letter - 'a'];
  return set->words[0] | set->words[1] ? set : NULL;
}

#endif
