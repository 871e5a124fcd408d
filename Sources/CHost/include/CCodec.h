// Decodes whole bodies: gzip, deflate, brotli, zstd, each with a limit. A body that ends before its
// coding does is damaged, never just short (libcurl accepts a cut gzip body as a whole one). The
// libraries are loaded at the first body that needs them, like libcurl (see CCurl).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ccodec_kind { CCODEC_GZIP, CCODEC_DEFLATE, CCODEC_BROTLI, CCODEC_ZSTD };

enum ccodec_result {
    CCODEC_OK,
    CCODEC_DAMAGED,      // cut, corrupt, or not in the declared coding
    CCODEC_TOO_BIG,      // more than `size_max` bytes
    CCODEC_UNAVAILABLE,  // the library is not installed, or no memory is left
};

// Decodes `size` bytes. After CCODEC_OK `*out` holds `*out_size` bytes, which the caller frees with
// free(); otherwise it is NULL. Thread-safe.
enum ccodec_result ccodec_decode(
    enum ccodec_kind kind, const uint8_t *_Nonnull bytes, size_t size, size_t size_max,
    uint8_t *_Nullable *_Nonnull out, size_t *_Nonnull out_size);

bool ccodec_is_available(enum ccodec_kind kind);
