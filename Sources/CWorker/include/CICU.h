// ICU's converters, without its header: that one clashes with the copy of ICU in Foundation wherever
// both are imported, and it renames each function by macros, which Swift cannot see through.
#ifndef FETCHRUN_CICU_H
#define FETCHRUN_CICU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct icu_converter icu_converter;

// NULL where ICU does not know the name.
icu_converter *_Nullable icu_open_converter(const char *_Nonnull name);
void icu_close_converter(icu_converter *_Nonnull converter);

// Converts from `*source` on, moves it behind what was read, and returns how many units of UTF-16
// were written. `*more` tells that the target is full and another call is needed. What cannot be
// converted becomes U+FFFD.
size_t icu_to_utf16(
    icu_converter *_Nonnull converter, const char *_Nonnull *_Nonnull source,
    const char *_Nonnull source_end, uint16_t *_Nonnull target, size_t capacity,
    bool *_Nonnull more);

#endif
