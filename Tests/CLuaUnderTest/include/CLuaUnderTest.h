// The bounded string, table and utf8 libraries in a plain Lua state, next to Lua's own, without a
// run around them.
#ifndef FETCHRUN_CLUA_UNDER_TEST_H
#define FETCHRUN_CLUA_UNDER_TEST_H

#include <stdint.h>

// Runs Lua code in a new state with all of Lua's libraries. It sees the globals
//   stock, ours   tables with string, table and utf8
//   seed          the number given
//   folder        the folder given
//   checks()      how often lua_bounded_check has been called
// The call of lua_bounded_check number `checks_max` raises "no time left" (negative: none does).
// Returns NULL, or the error as text that the caller frees.
char *_Nullable lua_under_test_run(
    const char *_Nonnull folder, const char *_Nonnull code, int64_t seed, int64_t checks_max);

#endif
