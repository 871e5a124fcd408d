#define _GNU_SOURCE
#include "CCurl.h"

#include <dlfcn.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

// The names of all used functions of libcurl, from which the table and the loader are made.
#define FUNCTIONS(X)                                                                               \
    X(curl_global_init)                                                                            \
    X(curl_version_info)                                                                           \
    X(curl_easy_init)                                                                              \
    X(curl_easy_cleanup)                                                                           \
    X(curl_easy_reset)                                                                             \
    X(curl_easy_setopt)                                                                            \
    X(curl_easy_getinfo)                                                                           \
    X(curl_easy_perform)                                                                           \
    X(curl_easy_strerror)                                                                          \
    X(curl_multi_init)                                                                             \
    X(curl_multi_cleanup)                                                                          \
    X(curl_multi_setopt)                                                                           \
    X(curl_multi_add_handle)                                                                       \
    X(curl_multi_remove_handle)                                                                    \
    X(curl_multi_socket_action)                                                                    \
    X(curl_multi_info_read)

#define MEMBER(name) static __typeof__(name) *p_##name;
FUNCTIONS(MEMBER)

static const char *missing_symbol(const char *name) {
    static char message[128];
    snprintf(message, sizeof message, "libcurl.so.4 has no function %s", name);
    return message;
}

const char *ccurl_load(void) {
    void *library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL) return "libcurl.so.4 is missing: apt-get install libcurl4";
#define LOAD(name)                                                                                 \
    p_##name = (__typeof__(p_##name))dlsym(library, #name);                                        \
    if (p_##name == NULL) return missing_symbol(#name);
    FUNCTIONS(LOAD)
    if (p_curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return "libcurl cannot be initialized";
    const curl_version_info_data *version = p_curl_version_info(CURLVERSION_NOW);
    if (version->version_num < 0x075700) return "libcurl 7.87 or newer is needed";
    if (!(version->features & CURL_VERSION_SSL)) return "this libcurl has no TLS";
    if (!(version->features & CURL_VERSION_ASYNCHDNS)) return "this libcurl has no asynchronous DNS look-ups";
    return NULL;
}

const char *ccurl_version(void) { return p_curl_version_info(CURLVERSION_NOW)->version; }

CURL *ccurl_create(void) { return p_curl_easy_init(); }
void ccurl_destroy(CURL *easy) { p_curl_easy_cleanup(easy); }
void ccurl_reset(CURL *easy) { p_curl_easy_reset(easy); }
CURLcode ccurl_perform(CURL *easy) { return p_curl_easy_perform(easy); }
const char *ccurl_words(CURLcode code) { return p_curl_easy_strerror(code); }

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return p_curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_size(CURL *easy, CURLoption option, int64_t value) {
    return p_curl_easy_setopt(easy, option, (curl_off_t)value);
}

CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return p_curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return p_curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *list) {
    return p_curl_easy_setopt(easy, option, list);
}

CURLcode ccurl_set_bytes_function(CURL *easy, CURLoption option, ccurl_bytes_function function) {
    return p_curl_easy_setopt(easy, option, function);
}

CURLcode ccurl_set_open_function(CURL *easy, ccurl_open_function function) {
    return p_curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

CURLcode ccurl_set_ready_function(CURL *easy, ccurl_ready_function function) {
    return p_curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

CURLcode ccurl_set_progress_function(
    CURL *easy, ccurl_progress_function function, void *context) {
    CURLcode code = p_curl_easy_setopt(easy, CURLOPT_XFERINFODATA, context);
    if (code == CURLE_OK) code = p_curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, function);
    if (code == CURLE_OK) code = p_curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
    return code;
}

long ccurl_info_long(CURL *easy, CURLINFO info) {
    long value = 0;
    p_curl_easy_getinfo(easy, info, &value);
    return value;
}

int64_t ccurl_info_size(CURL *easy, CURLINFO info) {
    curl_off_t value = 0;
    p_curl_easy_getinfo(easy, info, &value);
    return value;
}

void *ccurl_context(CURL *easy) {
    char *value = NULL;
    p_curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value);
    return value;
}

int ccurl_address(const struct curl_sockaddr *address, uint8_t bytes[16]) {
    // `addr` has only the type of the address's beginning, but libcurl stores the whole address
    // there.
    const void *place = &address->addr;
    if (address->family == AF_INET && address->addrlen >= sizeof(struct sockaddr_in)) {
        struct sockaddr_in v4;
        memcpy(&v4, place, sizeof v4);
        memcpy(bytes, &v4.sin_addr, 4);
        return 4;
    }
    if (address->family == AF_INET6 && address->addrlen >= sizeof(struct sockaddr_in6)) {
        struct sockaddr_in6 v6;
        memcpy(&v6, place, sizeof v6);
        memcpy(bytes, &v6.sin6_addr, 16);
        return 16;
    }
    return 0;
}

curl_socket_t ccurl_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

CURLM *ccurl_multi_create(
    ccurl_socket_function on_socket, ccurl_timer_function on_timer) {
    CURLM *multi = p_curl_multi_init();
    if (multi == NULL) return NULL;
    p_curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    p_curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
    return multi;
}

void ccurl_multi_set_context(CURLM *multi, void *context) {
    p_curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    p_curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}

void ccurl_multi_destroy(CURLM *multi) { p_curl_multi_cleanup(multi); }

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return p_curl_multi_setopt(multi, option, value);
}

CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy) { return p_curl_multi_add_handle(multi, easy); }

CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy) {
    return p_curl_multi_remove_handle(multi, easy);
}

CURLMcode ccurl_multi_socket_action(CURLM *multi, curl_socket_t socket, int events) {
    int running = 0;
    return p_curl_multi_socket_action(multi, socket, events, &running);
}

CURL *ccurl_multi_next_done(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = p_curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
