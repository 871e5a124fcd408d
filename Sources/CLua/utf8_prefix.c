#include "state.h"

// Returns the length of the character that begins with `lead`; 0 if no character does. Sets `low`
// and `high` to the limits of its second byte (RFC 3629: no overlong forms, no surrogates, nothing
// above U+10FFFF).
static size_t sequence(unsigned char lead, unsigned char *low, unsigned char *high) {
  *low = 0x80;
  *high = 0xBF;
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return 2;
  if (lead < 0xF0) {
    if (lead == 0xE0) *low = 0xA0;
    if (lead == 0xED) *high = 0x9F;
    return 3;
  }
  if (lead > 0xF4) return 0;
  if (lead == 0xF0) *low = 0x90;
  if (lead == 0xF4) *high = 0x8F;
  return 4;
}

size_t values_utf8_prefix(const char *text, size_t count) {
  const unsigned char *bytes = (const unsigned char *)text;
  size_t i = 0;
  while (i < count) {
    unsigned char low, high;
    size_t length = sequence(bytes[i], &low, &high);
    if (length == 0 || length > count - i) return i;
    for (size_t k = 1; k < length; k++) {
      if (bytes[i + k] < low || bytes[i + k] > high) return i;
      low = 0x80;
      high = 0xBF;
    }
    i += length;
  }
  return i;
}
