// The bounded string, table and utf8 libraries beside Lua's own, in a plain Lua state without a
// run.
#ifndef FETCHRUN_CLUA_UNDER_TEST_H
#define FETCHRUN_CLUA_UNDER_TEST_H

#include <stdint.h>

// Runs Lua code in a new state with all of Lua's libraries and these globals:
//   stock, ours   tables with string, table and utf8
//   seed          the given number
//   folder        the given folder
//   checks()      the number of calls of lua_bounded_check so far Call number `checks_max` of
//   lua_bounded_check raises "no time left"; if negative, no call does. Returns NULL, or the error
//   as text that the caller frees.
char *_Nullable lua_under_test_run(
    const char *_Nonnull folder, const char *_Nonnull code, int64_t seed, int64_t checks_max);

#endif
