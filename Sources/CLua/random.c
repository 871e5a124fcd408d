// math.random with xoshiro256**, the generator of Lua. The only seed is the run's seed, so that a
// run can be repeated exactly.
#include "state.h"

#define SEED_DISCARDS 16
#define FLOAT_BITS 53

static uint64_t rotate(uint64_t value, int count) {
  return (value << count) | (value >> (64 - count));
}

static uint64_t next_random(uint64_t *state) {
  uint64_t result = rotate(state[1] * 5, 7) * 9;
  uint64_t shifted = state[1] << 17;
  state[2] ^= state[0];
  state[3] ^= state[1];
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= shifted;
  state[3] = rotate(state[3], 45);
  return result;
}

void random_seed(lua_run *run, uint64_t seed, uint64_t more) {
  run->random[0] = seed;
  run->random[1] = 0xff;
  run->random[2] = more;
  run->random[3] = 0;
  for (int i = 0; i < SEED_DISCARDS; i++) next_random(run->random);
}

// Returns a number in 0...range without bias: draws numbers below the smallest power of two that
// exceeds the range, until a number is in the range.
static uint64_t below(uint64_t *state, uint64_t random, uint64_t range) {
  if ((range & (range + 1)) == 0) return random & range;
  uint64_t mask = UINT64_MAX >> __builtin_clzll(range);
  while ((random &= mask) > range) random = next_random(state);
  return random;
}

int random_random(lua_State *L) {
  lua_run *run = run_of(L);
  lua_Integer low = 1, high;
  uint64_t random = next_random(run->random);
  switch (lua_gettop(L)) {
  case 0:
    lua_pushnumber(L, (lua_Number)(random >> (64 - FLOAT_BITS)) * 0x1p-53);
    return 1;
  case 1:
    high = luaL_checkinteger(L, 1);
    if (high == 0) {
      lua_pushinteger(L, (lua_Integer)random);
      return 1;
    }
    break;
  case 2:
    low = luaL_checkinteger(L, 1);
    high = luaL_checkinteger(L, 2);
    break;
  default:
    return luaL_error(L, "wrong number of arguments");
  }
  luaL_argcheck(L, low <= high, lua_gettop(L), "interval is empty");
  uint64_t range = (uint64_t)high - (uint64_t)low;
  lua_pushinteger(L, (lua_Integer)(below(run->random, random, range) + (uint64_t)low));
  return 1;
}

// Sets the seed of the generator. Without arguments, restores the run's seed, because a run has no
// other source of randomness.
int random_randomseed(lua_State *L) {
  lua_run *run = run_of(L);
  if (lua_isnone(L, 1)) {
    random_seed(run, run->seed, 0);
    return 0;
  }
  lua_Number number = luaL_checknumber(L, 1);
  lua_Integer seed;
  if (!lua_numbertointeger(number, &seed)) seed = 0;
  if (lua_isinteger(L, 1)) seed = lua_tointeger(L, 1);
  random_seed(run, (uint64_t)seed, (uint64_t)luaL_optinteger(L, 2, 0));
  return 0;
}
