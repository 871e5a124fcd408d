#include "tables.h"

// Quicksort, with heapsort for parts whose pivots remain bad, so that no input and no comparator
// causes more than O(n log n) comparisons. Like Lua's own sort, it works on the table itself. Its
// accesses check bounds, so the comparator may change the table.

typedef struct {
  lua_State *state;
  bool has_comparator; // at index 2
  int comparisons;     // until the next check
} sorter;

// Whether the value at stack index `a` precedes that at `b` (both negative).
static bool is_before(sorter *sort, int a, int b) {
  lua_State *L = sort->state;
  if (--sort->comparisons == 0) {
    sort->comparisons = COMPARISONS_PER_CHECK;
    lua_bounded_check(L);
  }
  if (!sort->has_comparator) return lua_compare(L, a, b, LUA_OPLT);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, a - 1);
  lua_pushvalue(L, b - 2);
  lua_call(L, 2, 1);
  bool result = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return result;
}

// Pops the two values on top of the stack. Stores the lower one in t[i] and the upper one in t[j].
static void set_pair(lua_State *L, lua_Integer i, lua_Integer j) {
  lua_seti(L, 1, j);
  lua_seti(L, 1, i);
}

// Puts t[i] and t[j] in order; returns whether they were swapped.
static bool order_pair(sorter *sort, lua_Integer i, lua_Integer j) {
  lua_State *L = sort->state;
  lua_geti(L, 1, i);
  lua_geti(L, 1, j);
  bool is_swapped = is_before(sort, -1, -2);
  if (is_swapped) {
    set_pair(L, j, i);
  } else {
    lua_pop(L, 2);
  }
  return is_swapped;
}

static void invalid_order(lua_State *L) { luaL_error(L, "invalid order function for sorting"); }

// Partitions t[low...high] by its middle element and returns the pivot's place. The first, middle
// and last elements must be in order. Afterwards no element before the pivot is greater, and none
// after it is less.
static lua_Integer part(sorter *sort, lua_Integer low, lua_Integer middle, lua_Integer high) {
  lua_State *L = sort->state;
  // The median is stored before the last element. t[low] and t[high] stop the two searches below,
  // unless the comparator is inconsistent.
  lua_geti(L, 1, middle);
  lua_pushvalue(L, -1);
  lua_geti(L, 1, high - 1);
  set_pair(L, high - 1, middle); // the pivot stays on the stack
  lua_Integer i = low;
  lua_Integer j = high - 1;
  while (true) {
    while (lua_geti(L, 1, ++i), is_before(sort, -1, -2)) {
      if (i == high - 1) invalid_order(L);
      lua_pop(L, 1);
    }
    while (lua_geti(L, 1, --j), is_before(sort, -3, -1)) {
      if (j < i) invalid_order(L);
      lua_pop(L, 1);
    }
    if (j < i) break;
    set_pair(L, j, i);
  }
  lua_pop(L, 2); // t[j] and t[i]; the pivot, and:
  lua_geti(L, 1, i);
  lua_seti(L, 1, high - 1);
  lua_seti(L, 1, i);
  return i;
}

// Pops the value on top of the stack and moves it down the heap t[low...high], starting at `at`.
static void sink(sorter *sort, lua_Integer low, lua_Integer high, lua_Integer at) {
  lua_State *L = sort->state;
  while (at - low < (high - low + 1) / 2) {
    lua_Integer child = low + 2 * (at - low) + 1;
    lua_geti(L, 1, child);
    if (child < high) {
      lua_geti(L, 1, child + 1);
      if (is_before(sort, -2, -1)) {
        lua_replace(L, -2);
        child++;
      } else {
        lua_pop(L, 1);
      }
    }
    if (!is_before(sort, -2, -1)) {
      lua_pop(L, 1);
      break;
    }
    lua_seti(L, 1, at);
    at = child;
  }
  lua_seti(L, 1, at);
}

static void sort_by_heap(sorter *sort, lua_Integer low, lua_Integer high) {
  lua_State *L = sort->state;
  for (lua_Integer at = low + (high - low + 1) / 2 - 1; at >= low; at--) {
    lua_geti(L, 1, at);
    sink(sort, low, high, at);
  }
  for (lua_Integer last = high; last > low; last--) {
    lua_geti(L, 1, last);
    lua_geti(L, 1, low);
    lua_seti(L, 1, last);
    sink(sort, low, last - 1, low);
  }
}

// Sorts a range. `levels` is the number of partitions that are allowed before heapsort is used.
static void sort_range(sorter *sort, lua_Integer low, lua_Integer high, int levels) {
  while (low < high) {
    if (levels-- == 0) {
      sort_by_heap(sort, low, high);
      return;
    }
    order_pair(sort, low, high);
    if (high - low == 1) return;
    lua_Integer middle = low + (high - low) / 2;
    if (!order_pair(sort, low, middle)) order_pair(sort, middle, high);
    if (high - low == 2) return;
    lua_Integer pivot = part(sort, low, middle, high);
    if (pivot - low < high - pivot) { // sorts the smaller side by recursion, at most 20 calls deep
      sort_range(sort, low, pivot - 1, levels);
      low = pivot + 1;
    } else {
      sort_range(sort, pivot + 1, high, levels);
      high = pivot - 1;
    }
  }
}

// table.sort(list [, comp])
int lua_table_sort(lua_State *L) {
  lua_Integer count = lua_table_length(L, 1, TABLE_READS | TABLE_WRITES);
  if (count < 2) return 0;
  luaL_argcheck(L, count <= SORT_ELEMENTS_MAX, 1, "array too big");
  if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  luaL_checkstack(L, 10, NULL);
  sorter sort = {L, !lua_isnil(L, 2), COMPARISONS_PER_CHECK};
  int levels = 2;
  for (lua_Integer rest = count; rest > 1; rest /= 2) levels += 2;
  sort_range(&sort, 1, count, levels);
  return 0;
}
