// Limits of the bounded string, table and utf8 functions. Work bounded by memory alone (results of
// rep, format, concat, gsub) has no limit here: the run's allocator ends it.
#ifndef FETCHRUN_BOUNDED_LIMITS_H
#define FETCHRUN_BOUNDED_LIMITS_H

// Steps of C work (a byte compared, an element moved) between two checks of the run: about 5
// microseconds, so that a check has no measurable cost and a dead run ends immediately.
#define STEPS_PER_CHECK 1000

// The bytes that memchr, memmem and memcmp process in the time of one step.
#define BYTES_PER_STEP 16

// The bytes of one plain search without a check of the run: less than a millisecond.
#define SEARCH_CHUNK_BYTES (1 << 20)

// Sort comparisons between two checks: each may compare two strings that fill the run's memory.
#define COMPARISONS_PER_CHECK 16

// The values that unpack, byte, char and codepoint return or take. Lua's stack holds 1,000,000, but
// larger work needs a loop, and many nested calls must also fit.
#define VALUES_MAX 8000

// The elements of table.sort; more take seconds with a comparator in Lua.
#define SORT_ELEMENTS_MAX 1000000

// Nested items of a pattern, each one C call, and captures: both as in Lua 5.4.
#define PATTERN_DEPTH_MAX 200
#define PATTERN_CAPTURES_MAX 32

// Bytes of a conversion specification in string.format (`%-05.3d` and the like), as in Lua 5.4.
#define FORMAT_SPECIFICATION_BYTES_MAX 22

// Digits of width and of precision in string.format, as in Lua 5.4: at most 99.
#define FORMAT_DIGITS_MAX 2

// The longest item of string.format that is not a string: a double with 309 digits before the point
// and 99 after it, or padded to 99.
#define FORMAT_ITEM_BYTES_MAX 440

// The total length of the strings passed to string.pack. Each may be read as a number, which takes
// time by its length for few bytes of result, so memory does not bound it.
#define PACK_ARGUMENT_BYTES_MAX (256 << 20)
#define PACK_ARGUMENTS_UNCHECKED 8

#endif
