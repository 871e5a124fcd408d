#include "CICU.h"

#include <unicode/ucnv.h>

icu_converter *icu_open_converter(const char *name) {
  UErrorCode status = U_ZERO_ERROR;
  UConverter *converter = ucnv_open(name, &status);
  if (U_SUCCESS(status)) return (icu_converter *)converter;
  if (converter) ucnv_close(converter);
  return NULL;
}

void icu_close_converter(icu_converter *converter) { ucnv_close((UConverter *)converter); }

size_t icu_to_utf16(
    icu_converter *converter, const char **source, const char *source_end, uint16_t *target,
    size_t capacity, bool *more) {
  UErrorCode status = U_ZERO_ERROR;
  UChar *next = (UChar *)target;
  ucnv_toUnicode(
      (UConverter *)converter, &next, (UChar *)target + capacity, source, source_end, NULL, true,
      &status);
  *more = status == U_BUFFER_OVERFLOW_ERROR;
  return (size_t)(next - (UChar *)target);
}
