#include "CCodec.h"

#include <brotli/decode.h>
#include <dlfcn.h>
#include <libdeflate.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define DEFLATE_FUNCTIONS(X)                                                                       \
    X(libdeflate_alloc_decompressor)                                                               \
    X(libdeflate_free_decompressor)                                                                \
    X(libdeflate_gzip_decompress_ex)                                                               \
    X(libdeflate_zlib_decompress_ex)                                                               \
    X(libdeflate_deflate_decompress_ex)

#define BROTLI_FUNCTIONS(X)                                                                        \
    X(BrotliDecoderCreateInstance)                                                                 \
    X(BrotliDecoderDestroyInstance)                                                                \
    X(BrotliDecoderDecompressStream)

#define ZSTD_FUNCTIONS(X)                                                                          \
    X(ZSTD_createDCtx)                                                                             \
    X(ZSTD_freeDCtx)                                                                               \
    X(ZSTD_DCtx_setParameter)                                                                      \
    X(ZSTD_decompressStream)                                                                       \
    X(ZSTD_isError)

#define MEMBER(name) static __typeof__(name) *p_##name;
DEFLATE_FUNCTIONS(MEMBER)
BROTLI_FUNCTIONS(MEMBER)
ZSTD_FUNCTIONS(MEMBER)

static bool has_deflate, has_brotli, has_zstd;

#define LOAD(name)                                                                                 \
    p_##name = (__typeof__(p_##name))dlsym(library, #name);                                        \
    if (p_##name == NULL) return false;

static bool load_deflate(void) {
    void *library = dlopen("libdeflate.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return false;
    DEFLATE_FUNCTIONS(LOAD)
    return true;
}

static bool load_brotli(void) {
    void *library = dlopen("libbrotlidec.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return false;
    BROTLI_FUNCTIONS(LOAD)
    return true;
}

static bool load_zstd(void) {
    void *library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return false;
    ZSTD_FUNCTIONS(LOAD)
    return true;
}

static void load_all(void) {
    has_deflate = load_deflate();
    has_brotli = load_brotli();
    has_zstd = load_zstd();
}

bool ccodec_is_available(enum ccodec_kind kind) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_all);
    switch (kind) {
        case CCODEC_GZIP:
        case CCODEC_DEFLATE: return has_deflate;
        case CCODEC_BROTLI: return has_brotli;
        case CCODEC_ZSTD: return has_zstd;
    }
    return false;
}

struct input {
    const uint8_t *bytes;
    size_t size;
};

// An output buffer. Its size doubles when it is full, up to `size_max`; more bytes are an error.
struct output {
    uint8_t *bytes;
    size_t size, capacity, size_max;
};

static enum ccodec_result reserve(struct output *out, size_t free_size) {
    if (out->capacity - out->size >= free_size) return CCODEC_OK;
    if (out->capacity >= out->size_max) return CCODEC_TOO_BIG;
    size_t wanted = out->capacity * 2;
    if (wanted < out->size + free_size) wanted = out->size + free_size;
    if (wanted > out->size_max) wanted = out->size_max;
    uint8_t *bytes = realloc(out->bytes, wanted);
    if (bytes == NULL) return CCODEC_NO_MEMORY;
    out->bytes = bytes;
    out->capacity = wanted;
    return CCODEC_OK;
}

typedef enum libdeflate_result (*inflate_function)(
    struct libdeflate_decompressor *, const void *, size_t, void *, size_t, size_t *, size_t *);

// Decodes one compressed member or stream, and moves `in` to the byte after it.
static enum ccodec_result inflate_one(
    struct libdeflate_decompressor *decompressor, inflate_function inflate, struct input *in,
    size_t size_hint, struct output *out) {
    for (size_t wanted = size_hint;; wanted = (out->capacity - out->size) * 4) {
        // `wanted` is a guess. A decoded member may be smaller, and fit in the rest of the limit.
        size_t rest = out->size_max - out->size;
        if (wanted > rest) wanted = rest;
        enum ccodec_result reserved = reserve(out, wanted > 0 ? wanted : 1);
        if (reserved != CCODEC_OK) return reserved;
        size_t used = 0, made = 0;
        enum libdeflate_result result = inflate(
            decompressor, in->bytes, in->size, out->bytes + out->size, out->capacity - out->size,
            &used, &made);
        if (result == LIBDEFLATE_INSUFFICIENT_SPACE) {
            if (out->capacity >= out->size_max) return CCODEC_TOO_BIG;
            continue;
        }
        if (result != LIBDEFLATE_SUCCESS) return CCODEC_DAMAGED;
        in->bytes += used;
        in->size -= used;
        out->size += made;
        return CCODEC_OK;
    }
}

static size_t guessed_size(const struct input *in, size_t size_max) {
    size_t guess = in->size < size_max / 5 ? in->size * 5 + 64 : size_max;
    return guess < size_max ? guess : size_max;
}

// Returns a first guess of the decoded size: the length in the trailer of the last member.
static size_t gzip_size_hint(const struct input *in, size_t size_max) {
    if (in->size < 18) return 64;
    const uint8_t *end = in->bytes + in->size - 4;
    size_t declared =
        (size_t)end[0] | (size_t)end[1] << 8 | (size_t)end[2] << 16 | (size_t)end[3] << 24;
    bool is_likely = declared >= in->size / 2 && declared / 1100 <= in->size;
    if (!is_likely) return guessed_size(in, size_max);
    return declared < size_max ? declared : size_max;
}

// Decodes gzip (RFC 1952), which is one member after another. Bytes after the last member are
// ignored as padding (gzip(1) warns about them). An incomplete member is an error.
static enum ccodec_result decode_gzip(
    struct libdeflate_decompressor *decompressor, struct input in, struct output *out) {
    do {
        size_t hint = gzip_size_hint(&in, out->size_max);
        enum ccodec_result result = inflate_one(
            decompressor, p_libdeflate_gzip_decompress_ex, &in, hint, out);
        if (result != CCODEC_OK) return result;
    } while (in.size > 0 && in.bytes[0] == 0x1F && (in.size == 1 || in.bytes[1] == 0x8B));
    return CCODEC_OK;
}

// Decodes `deflate`, which is the zlib format (RFC 9110 section 8.4.1.2). Some servers send raw
// deflate data without the header of zlib.
static enum ccodec_result decode_deflate(
    struct libdeflate_decompressor *decompressor, struct input in, struct output *out) {
    size_t hint = guessed_size(&in, out->size_max);
    struct input whole = in;
    bool looks_like_zlib =
        in.size >= 2 && (in.bytes[0] & 15) == 8 && (in.bytes[0] << 8 | in.bytes[1]) % 31 == 0;
    if (looks_like_zlib) {
        enum ccodec_result result = inflate_one(
            decompressor, p_libdeflate_zlib_decompress_ex, &in, hint, out);
        if (result != CCODEC_DAMAGED) return result;
    }
    return inflate_one(decompressor, p_libdeflate_deflate_decompress_ex, &whole, hint, out);
}

static enum ccodec_result decode_inflate(
    enum ccodec_kind kind, struct input in, struct output *out) {
    struct libdeflate_decompressor *decompressor = p_libdeflate_alloc_decompressor();
    if (decompressor == NULL) return CCODEC_NO_MEMORY;
    enum ccodec_result result = kind == CCODEC_GZIP ? decode_gzip(decompressor, in, out)
                                                    : decode_deflate(decompressor, in, out);
    p_libdeflate_free_decompressor(decompressor);
    return result;
}

static enum ccodec_result decode_brotli(struct input in, struct output *out) {
    BrotliDecoderState *state = p_BrotliDecoderCreateInstance(NULL, NULL, NULL);
    if (state == NULL) return CCODEC_NO_MEMORY;
    enum ccodec_result result = CCODEC_OK;
    BrotliDecoderResult step = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
    while (step == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT && result == CCODEC_OK) {
        result = reserve(out, out->capacity > out->size ? 1 : guessed_size(&in, out->size_max));
        if (result != CCODEC_OK) break;
        uint8_t *next = out->bytes + out->size;
        size_t free_size = out->capacity - out->size;
        step = p_BrotliDecoderDecompressStream(
            state, &in.size, &in.bytes, &free_size, &next, NULL);
        out->size = out->capacity - free_size;
    }
    if (result == CCODEC_OK && step != BROTLI_DECODER_RESULT_SUCCESS) result = CCODEC_DAMAGED;
    p_BrotliDecoderDestroyInstance(state);
    return result;
}

// RFC 9659 limits the window of senders to 8 MB, so a decoder needs no larger one.
static const int zstd_window_log_max = 23;

static enum ccodec_result zstd_frames(ZSTD_DCtx *context, struct input in, struct output *out) {
    ZSTD_inBuffer from = {in.bytes, in.size, 0};
    size_t left_in_frame = 1;
    while (from.pos < from.size || left_in_frame != 0) {
        enum ccodec_result result =
            reserve(out, out->capacity > out->size ? 1 : guessed_size(&in, out->size_max));
        if (result != CCODEC_OK) return result;
        ZSTD_outBuffer to = {out->bytes + out->size, out->capacity - out->size, 0};
        size_t before = from.pos;
        left_in_frame = p_ZSTD_decompressStream(context, &to, &from);
        if (p_ZSTD_isError(left_in_frame)) return CCODEC_DAMAGED;
        out->size += to.pos;
        bool is_stuck = from.pos == before && to.pos == 0;
        if (is_stuck && left_in_frame != 0) return CCODEC_DAMAGED;
    }
    return CCODEC_OK;
}

static enum ccodec_result decode_zstd(struct input in, struct output *out) {
    ZSTD_DCtx *context = p_ZSTD_createDCtx();
    if (context == NULL) return CCODEC_NO_MEMORY;
    p_ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, zstd_window_log_max);
    enum ccodec_result result = zstd_frames(context, in, out);
    p_ZSTD_freeDCtx(context);
    return result;
}

static enum ccodec_result decode(enum ccodec_kind kind, struct input in, struct output *out) {
    switch (kind) {
        case CCODEC_GZIP:
        case CCODEC_DEFLATE: return decode_inflate(kind, in, out);
        case CCODEC_BROTLI: return decode_brotli(in, out);
        case CCODEC_ZSTD: return decode_zstd(in, out);
    }
    return CCODEC_UNAVAILABLE;
}

enum ccodec_result ccodec_decode(
    enum ccodec_kind kind, const uint8_t *bytes, size_t size, size_t size_max, uint8_t **out,
    size_t *out_size) {
    *out = NULL;
    *out_size = 0;
    if (!ccodec_is_available(kind)) return CCODEC_UNAVAILABLE;
    // The buffer has room for one more byte than allowed, so that a body above the limit is
    // detected.
    struct output output = {NULL, 0, 0, size_max + 1};
    enum ccodec_result result = decode(kind, (struct input){bytes, size}, &output);
    if (result == CCODEC_OK && output.size > size_max) result = CCODEC_TOO_BIG;
    if (result != CCODEC_OK) {
        free(output.bytes);
        return result;
    }
    *out = output.bytes;
    *out_size = output.size;
    return CCODEC_OK;
}
