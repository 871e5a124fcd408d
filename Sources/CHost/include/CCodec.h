// Decodes whole bodies in gzip, deflate, brotli or zstd, each up to a size limit. An incomplete
// body is an error, whereas libcurl accepts an incomplete gzip body as complete. The libraries are
// loaded for the first body that needs them, like libcurl (see CCurl).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ccodec_kind { CCODEC_GZIP, CCODEC_DEFLATE, CCODEC_BROTLI, CCODEC_ZSTD };

enum ccodec_result {
    CCODEC_OK,
    CCODEC_DAMAGED,      // the body is incomplete, corrupt, or not in the declared coding
    CCODEC_TOO_BIG,      // the decoded body has more than `size_max` bytes
    CCODEC_UNAVAILABLE,  // the library is not installed
    CCODEC_NO_MEMORY,    // no memory is left for the decoder or for the decoded body
};

// Decodes `size` bytes. After CCODEC_OK `*out` holds `*out_size` bytes, which the caller frees with
// free(). After any other result, `*out` is NULL. Thread-safe.
enum ccodec_result ccodec_decode(
    enum ccodec_kind kind, const uint8_t *_Nonnull bytes, size_t size, size_t size_max,
    uint8_t *_Nullable *_Nonnull out, size_t *_Nonnull out_size);

bool ccodec_is_available(enum ccodec_kind kind);
