// ICU's converters without ICU's header. That header clashes with the copy of ICU in Foundation if
// both are imported, and it renames each function by macros, which Swift cannot use.
#ifndef FETCHRUN_CICU_H
#define FETCHRUN_CICU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct icu_converter icu_converter;

// Opens a converter; returns NULL if ICU has no converter of that name.
icu_converter *_Nullable icu_open_converter(const char *_Nonnull name);
void icu_close_converter(icu_converter *_Nonnull converter);

// Converts bytes from `*source`, moves `*source` past the converted bytes, and returns the number
// of UTF-16 units written. `*more` is true if the target is full and another call is needed.
// Invalid input becomes U+FFFD.
size_t icu_to_utf16(
    icu_converter *_Nonnull converter, const char *_Nonnull *_Nonnull source,
    const char *_Nonnull source_end, uint16_t *_Nonnull target, size_t capacity,
    bool *_Nonnull more);

#endif
