// ICU renames each function with its version by macros, which Swift cannot see through.
#include <unicode/ucnv.h>

static inline UConverter *icu_open_converter(const char *name, UErrorCode *status) {
  return ucnv_open(name, status);
}

static inline void icu_close_converter(UConverter *converter) { ucnv_close(converter); }

static inline void icu_to_unicode(
    UConverter *converter, UChar **target, const UChar *target_end, const char **source,
    const char *source_end, UErrorCode *status) {
  ucnv_toUnicode(converter, target, target_end, source, source_end, NULL, 1, status);
}
