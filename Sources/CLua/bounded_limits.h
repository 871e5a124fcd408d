// Limits of the bounded string, table and utf8 functions. What grows with memory alone (results of
// rep, format, concat, gsub) has no limit here: the run's allocator ends it.
#ifndef FETCHRUN_BOUNDED_LIMITS_H
#define FETCHRUN_BOUNDED_LIMITS_H

// Steps of C work (a byte compared, an element moved) between two looks at the run's state: about
// 5 microseconds, so a look costs nothing measurable and a dead run ends at once.
#define STEPS_PER_CHECK 1000

// Bytes that memchr, memmem and memcmp pass in the time of one step.
#define BYTES_PER_STEP 16

// Bytes of one plain search without a look at the run's state: below a millisecond.
#define SEARCH_CHUNK_BYTES (1 << 20)

// Sort comparisons between two looks: each may compare two strings that fill the run's memory.
#define COMPARISONS_PER_CHECK 16

// Values that unpack, byte, char and codepoint give or take. Lua's stack holds 1,000,000, but a
// plugin in need of more than this wants a loop, and many nested calls must fit as well.
#define VALUES_MAX 8000

// Elements of table.sort: more take seconds with a comparator in Lua.
#define SORT_ELEMENTS_MAX 1000000

// Nested items of a pattern, each a C call, and captures: both as in Lua 5.4.
#define PATTERN_DEPTH_MAX 200
#define PATTERN_CAPTURES_MAX 32

// Bytes of a conversion specification in string.format (`%-05.3d` and the like), as in Lua 5.4.
#define FORMAT_SPECIFICATION_BYTES_MAX 22

// Digits of width and of precision in string.format, as in Lua 5.4: at most 99.
#define FORMAT_DIGITS_MAX 2

// The longest item of string.format that is not a string: a double with 309 digits before the
// point and 99 after it, or padded to 99.
#define FORMAT_ITEM_BYTES_MAX 440

// Strings handed to string.pack, all together. Each may be read as a number, which takes time in
// proportion to its length and gives a few bytes, so memory does not bound it. A few are no harm.
#define PACK_ARGUMENT_BYTES_MAX (256 << 20)
#define PACK_ARGUMENTS_UNCHECKED 8

#endif
