#include "CICU.h"

#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>

// Writes U+FFFD for invalid input. ICU's own callback writes U+001A for single bytes of some
// encodings. It also drops an ASCII byte that follows an invalid lead byte, but the Encoding
// Standard keeps that byte.
static void substitute(
    const void *context, UConverterToUnicodeArgs *arguments, const char *units, int32_t length,
    UConverterCallbackReason reason, UErrorCode *status) {
  (void)context;
  if (reason > UCNV_IRREGULAR) return;
  *status = U_ZERO_ERROR;
  UChar text[2] = {0xFFFD};
  int32_t count = 1;
  unsigned char last = length > 1 ? (unsigned char)units[length - 1] : 0xFF;
  if (last < 0x80 && (unsigned char)units[0] >= 0x80) text[count++] = last;
  ucnv_cbToUWriteUChars(arguments, text, count, 0, status);
}

icu_converter *icu_open_converter(const char *name) {
  UErrorCode status = U_ZERO_ERROR;
  UConverter *converter = ucnv_open(name, &status);
  if (U_SUCCESS(status)) ucnv_setToUCallBack(converter, substitute, NULL, NULL, NULL, &status);
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
