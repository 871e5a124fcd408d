#include "CPostgres.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The declarations that libpq has had since version 9. Its header is not needed to build.
typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef uint32_t Oid;
typedef void (*Receiver)(void *, const char *);

enum { CONNECTION_OK = 0 };
enum { PGRES_COMMAND_OK = 1, PGRES_TUPLES_OK = 2, PGRES_EMPTY_QUERY = 0 };
enum { PGRES_COPY_OUT = 3, PGRES_COPY_IN = 4, PGRES_COPY_BOTH = 8 };
enum { DIAG_SQLSTATE = 'C', DIAG_MESSAGE = 'M', DIAG_DETAIL = 'D' };

#define FUNCTIONS(X)                                                                               \
    X(PGconn *, PQconnectdbParams, (const char *const *, const char *const *, int))                \
    X(void, PQfinish, (PGconn *))                                                                  \
    X(int, PQstatus, (const PGconn *))                                                             \
    X(char *, PQerrorMessage, (const PGconn *))                                                    \
    X(const char *, PQparameterStatus, (const PGconn *, const char *))                             \
    X(int, PQconnectionNeedsPassword, (const PGconn *))                                            \
    X(int, PQsocket, (const PGconn *))                                                             \
    X(int, PQsetnonblocking, (PGconn *, int))                                                      \
    X(Receiver, PQsetNoticeProcessor, (PGconn *, Receiver, void *))                                \
    X(int, PQsendQuery, (PGconn *, const char *))                                                  \
    X(int, PQsendPrepare, (PGconn *, const char *, const char *, int, const Oid *))                \
    X(int, PQsendQueryPrepared,                                                                    \
      (PGconn *, const char *, int, const char *const *, const int *, const int *, int))           \
    X(int, PQflush, (PGconn *))                                                                    \
    X(int, PQconsumeInput, (PGconn *))                                                             \
    X(int, PQisBusy, (PGconn *))                                                                   \
    X(PGresult *, PQgetResult, (PGconn *))                                                         \
    X(void, PQclear, (PGresult *))                                                                 \
    X(int, PQresultStatus, (const PGresult *))                                                     \
    X(char *, PQresultErrorField, (const PGresult *, int))                                         \
    X(char *, PQresultErrorMessage, (const PGresult *))                                            \
    X(int, PQntuples, (const PGresult *))                                                          \
    X(char *, PQcmdTuples, (PGresult *))                                                           \
    X(int, PQgetisnull, (const PGresult *, int, int))                                              \
    X(int, PQgetlength, (const PGresult *, int, int))                                              \
    X(char *, PQgetvalue, (const PGresult *, int, int))

#define DECLARE(type, name, parameters) static type(*p_##name) parameters;
FUNCTIONS(DECLARE)

static const char *load_problem;

static void load(void) {
    void *library = dlopen("libpq.so.5", RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL) {
        load_problem = "libpq.so.5 is missing: apt-get install libpq5";
        return;
    }
#define LOAD(type, name, parameters)                                                               \
    p_##name = (__typeof__(p_##name))dlsym(library, #name);                                        \
    if (p_##name == NULL) load_problem = "libpq.so.5 lacks the function " #name;
    FUNCTIONS(LOAD)
}

const char *cpostgres_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return load_problem;
}

// Drops a server's notices, which libpq would print to standard error.
static void drop(void *context, const char *notice) {
    (void)context;
    (void)notice;
}

void *cpostgres_open(const char *const *keys, const char *const *values) {
    PGconn *connection = p_PQconnectdbParams(keys, values, 1);
    if (connection != NULL && p_PQstatus(connection) == CONNECTION_OK) {
        p_PQsetnonblocking(connection, 1);
        p_PQsetNoticeProcessor(connection, drop, NULL);
    }
    return connection;
}

void cpostgres_close(void *connection) { p_PQfinish(connection); }

bool cpostgres_is_open(void *connection) { return p_PQstatus(connection) == CONNECTION_OK; }

const char *cpostgres_error(void *connection) { return p_PQerrorMessage(connection); }

const char *cpostgres_setting(void *connection, const char *name) {
    return p_PQparameterStatus(connection, name);
}

bool cpostgres_needs_password(void *connection) {
    return p_PQconnectionNeedsPassword(connection) != 0;
}

bool cpostgres_send(
    void *connection, const char *name, const char *sql, int count, const uint32_t *types,
    const char *const *values, const int *lengths) {
    if (name == NULL) return p_PQsendQuery(connection, sql) == 1;
    if (sql != NULL) return p_PQsendPrepare(connection, name, sql, count, types) == 1;
    int *formats = count > 0 ? malloc((size_t)count * sizeof(int)) : NULL;
    if (count > 0 && formats == NULL) return false;
    for (int index = 0; index < count; index++) formats[index] = 1;
    int is_sent = p_PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1);
    free(formats);
    return is_sent == 1;
}

static int64_t milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Waits until a result can be read without blocking.
static bool wait_for_result(PGconn *connection, int64_t end) {
    for (;;) {
        int unsent = p_PQflush(connection);
        if (unsent < 0) return false;
        if (unsent == 0 && !p_PQisBusy(connection)) return true;
        int64_t left = end - milliseconds_now();
        if (left <= 0) return false;
        struct pollfd ready = {
            .fd = p_PQsocket(connection), .events = POLLIN | (unsent > 0 ? POLLOUT : 0)};
        if (ready.fd < 0) return false;
        int count = poll(&ready, 1, left > 1000000 ? 1000000 : (int)left);
        if (count < 0 && errno != EINTR) return false;
        // Input must also be read while output is pending: the server may wait for that.
        if (count > 0 && ready.revents & (POLLIN | POLLERR | POLLHUP)
            && !p_PQconsumeInput(connection))
            return false;
    }
}

void *cpostgres_receive(void *connection, int64_t milliseconds) {
    int64_t end = milliseconds_now() + milliseconds;
    PGresult *last = NULL;
    for (;;) {
        if (!wait_for_result(connection, end)) break;
        PGresult *next = p_PQgetResult(connection);
        if (next == NULL) {
            if (last != NULL && p_PQstatus(connection) == CONNECTION_OK) return last;
            break;
        }
        // libpq would return the results of a COPY, which this program never begins, without end.
        int status = p_PQresultStatus(next);
        if (status == PGRES_COPY_OUT || status == PGRES_COPY_IN || status == PGRES_COPY_BOTH
            || milliseconds_now() > end) {
            p_PQclear(next);
            break;
        }
        // The first error of several statements is the one that counts.
        char state[6];
        if (last != NULL && cpostgres_fault(last, state) != 0) {
            p_PQclear(next);
        } else {
            if (last != NULL) p_PQclear(last);
            last = next;
        }
    }
    if (last != NULL) p_PQclear(last);
    return NULL;
}

void cpostgres_free(void *result) { p_PQclear(result); }

int cpostgres_fault(void *result, char state[6]) {
    int status = p_PQresultStatus(result);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY)
        return 0;
    const char *found = p_PQresultErrorField(result, DIAG_SQLSTATE);
    memset(state, 0, 6);
    strncpy(state, found != NULL ? found : "XX000", 5);
    return 1;
}

const char *cpostgres_message(void *result, bool detail) {
    const char *found = p_PQresultErrorField(result, detail ? DIAG_DETAIL : DIAG_MESSAGE);
    if (found == NULL && !detail) found = p_PQresultErrorMessage(result);
    return found != NULL ? found : "";
}

int cpostgres_row_count(void *result) { return p_PQntuples(result); }

int64_t cpostgres_changed_count(void *result) { return strtoll(p_PQcmdTuples(result), NULL, 10); }

const void *cpostgres_value(void *result, int row, int column, int *length) {
    if (p_PQgetisnull(result, row, column)) return NULL;
    *length = p_PQgetlength(result, row, column);
    return p_PQgetvalue(result, row, column);
}
