#include "bounded.h"

// Until the run brings its own.
__attribute__((weak)) void lua_bounded_check(lua_State *L) { (void)L; }
