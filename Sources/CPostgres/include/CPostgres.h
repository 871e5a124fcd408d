// The functions of libpq that a store needs. The library is loaded at the first use and not linked,
// so that a user of SQLite needs no libpq.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Loads libpq. Returns NULL, or the reason why this failed. May be called several times; not by
/// several threads at once.
const char *_Nullable cpostgres_load(void);

/// Opens a connection with the parameters of libpq, which end with NULL in both arrays. Blocks for
/// at most `connect_timeout` for each host. The result must be closed even if the connection
/// failed; NULL means that there is no memory.
void *_Nullable cpostgres_open(
    const char *_Nullable const *_Nonnull keys, const char *_Nullable const *_Nonnull values);
void cpostgres_close(void *_Nonnull connection);

/// Whether the connection can be used.
bool cpostgres_is_open(void *_Nonnull connection);
/// The last error of the connection, in the server's or the library's words.
const char *_Nonnull cpostgres_error(void *_Nonnull connection);
/// A setting that the server reports by itself, such as `server_encoding`; NULL if it reports none.
const char *_Nullable cpostgres_setting(void *_Nonnull connection, const char *_Nonnull name);
/// Whether the last call of `cpostgres_open` failed because the server wants a password.
bool cpostgres_needs_password(void *_Nonnull connection);

/// Sends a statement. With `name`, executes the prepared statement of this name; with `name` and
/// `sql`, prepares it with parameters of the given types; with `sql` alone, executes any number of
/// statements without parameters. Parameters and results have the binary format, but the results of
/// `sql` alone have the text format. Returns whether the statement could be sent.
bool cpostgres_send(
    void *_Nonnull connection, const char *_Nullable name, const char *_Nullable sql, int count,
    const uint32_t *_Nullable types, const char *_Nullable const *_Nullable values,
    const int *_Nullable lengths);

/// Waits for the end of the statement that was sent, for at most `milliseconds`. Returns its last
/// result, which must be freed; NULL if the connection is lost or the time is over.
void *_Nullable cpostgres_receive(void *_Nonnull connection, int64_t milliseconds);
void cpostgres_free(void *_Nonnull result);

/// Returns 0 for a result without an error. Otherwise copies the SQLSTATE with its final NUL.
int cpostgres_fault(void *_Nonnull result, char state[_Nonnull 6]);
/// The server's message for a result with an error. `detail` selects the detail instead of the
/// first line. Empty if there is none.
const char *_Nonnull cpostgres_message(void *_Nonnull result, bool detail);
int cpostgres_row_count(void *_Nonnull result);
/// The number of rows that the statement has changed.
int64_t cpostgres_changed_count(void *_Nonnull result);
/// The bytes of a value; NULL for the value NULL. The row and the column must exist.
const void *_Nullable cpostgres_value(
    void *_Nonnull result, int row, int column, int *_Nonnull length);
