// libcurl for Swift, with typed functions in place of libcurl's variadic functions. libcurl is
// loaded when the first request needs it. If libcurl were linked in the usual way, libcurl and the
// thirty libraries that it needs would delay the start of every command by about 9 ms.
#pragma once

#include "CReadiness.h"

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if LIBCURL_VERSION_NUM < 0x075700
#error "libcurl 7.87 or newer is needed (CURLOPT_QUICK_EXIT)"
#endif

// Loads libcurl and prepares it. Returns NULL if libcurl can be used. Otherwise returns a message
// about the problem, and no other function may be called. Call this function once, before all other
// functions.
const char *_Nullable ccurl_load(void);

// Returns libcurl's version, such as "7.88.1". The library must be loaded.
const char *_Nonnull ccurl_version(void);

CURL *_Nullable ccurl_create(void);
void ccurl_destroy(CURL *_Nonnull easy);
// Sets all options to their defaults.
void ccurl_reset(CURL *_Nonnull easy);
// Performs the exchange and waits for its end.
CURLcode ccurl_perform(CURL *_Nonnull easy);
// Returns libcurl's description of a result.
const char *_Nonnull ccurl_words(CURLcode code);
CURLcode ccurl_set_long(CURL *_Nonnull easy, CURLoption option, long value);
CURLcode ccurl_set_size(CURL *_Nonnull easy, CURLoption option, int64_t value);
CURLcode ccurl_set_text(CURL *_Nonnull easy, CURLoption option, const char *_Nullable value);
CURLcode ccurl_set_pointer(CURL *_Nonnull easy, CURLoption option, void *_Nullable value);
CURLcode ccurl_set_list(CURL *_Nonnull easy, CURLoption option, struct curl_slist *_Nullable list);

typedef size_t (*ccurl_bytes_function)(
    char *_Nullable bytes, size_t one, size_t count, void *_Nullable context);
typedef curl_socket_t (*ccurl_open_function)(
    void *_Nullable context, curlsocktype purpose, struct curl_sockaddr *_Nullable address);
typedef int (*ccurl_ready_function)(
    void *_Nullable context, char *_Nullable remote_ip, char *_Nullable local_ip, int remote_port,
    int local_port);
typedef int (*ccurl_progress_function)(
    void *_Nullable context, curl_off_t download_size, curl_off_t downloaded,
    curl_off_t upload_size, curl_off_t uploaded);
CURLcode ccurl_set_bytes_function(
    CURL *_Nonnull easy, CURLoption option, ccurl_bytes_function _Nonnull function);
CURLcode ccurl_set_open_function(CURL *_Nonnull easy, ccurl_open_function _Nonnull function);
CURLcode ccurl_set_ready_function(CURL *_Nonnull easy, ccurl_ready_function _Nonnull function);
// Sets the function that libcurl calls at least about once a second during the exchange, and the
// function's context. If the function returns 1, the exchange ends with
// CURLE_ABORTED_BY_CALLBACK. CURLOPT_NOPROGRESS with the value 1 ends the calls.
CURLcode ccurl_set_progress_function(
    CURL *_Nonnull easy, ccurl_progress_function _Nonnull function, void *_Nonnull context);

long ccurl_info_long(CURL *_Nonnull easy, CURLINFO info);
int64_t ccurl_info_size(CURL *_Nonnull easy, CURLINFO info);
// Returns the value of CURLOPT_PRIVATE.
void *_Nullable ccurl_context(CURL *_Nonnull easy);

// Writes the IP address of a requested socket into `bytes`. Returns the length of the address, 4 or
// 16 bytes; 0 for another address family.
int ccurl_address(const struct curl_sockaddr *_Nonnull address, uint8_t bytes[_Nonnull 16]);
// Returns a new socket for the address, with close-on-exec; CURL_SOCKET_BAD on failure.
curl_socket_t ccurl_socket(const struct curl_sockaddr *_Nonnull address);

typedef int (*ccurl_socket_function)(
    CURL *_Nullable easy, curl_socket_t socket, int what, void *_Nullable context,
    void *_Nullable socket_context);
typedef int (*ccurl_timer_function)(
    CURLM *_Nullable multi, long milliseconds, void *_Nullable context);

CURLM *_Nullable ccurl_multi_create(
    ccurl_socket_function _Nonnull on_socket, ccurl_timer_function _Nonnull on_timer);
// Sets the context that both callbacks of a multi handle receive.
void ccurl_multi_set_context(CURLM *_Nonnull multi, void *_Nonnull context);
void ccurl_multi_destroy(CURLM *_Nonnull multi);
CURLMcode ccurl_multi_set_long(CURLM *_Nonnull multi, CURLMoption option, long value);
CURLMcode ccurl_multi_add(CURLM *_Nonnull multi, CURL *_Nonnull easy);
CURLMcode ccurl_multi_remove(CURLM *_Nonnull multi, CURL *_Nonnull easy);
CURLMcode ccurl_multi_socket_action(CURLM *_Nonnull multi, curl_socket_t socket, int events);
// Returns the next finished transfer and its result; NULL if there is none.
CURL *_Nullable ccurl_multi_next_done(CURLM *_Nonnull multi, CURLcode *_Nonnull result);
