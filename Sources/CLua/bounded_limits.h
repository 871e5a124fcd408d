// Limits of the bounded string, table and utf8 functions. Work that only memory bounds (results of
// rep, format, concat, gsub) has no limit here, because the limit of the run's allocator ends it.
#ifndef FETCHRUN_BOUNDED_LIMITS_H
#define FETCHRUN_BOUNDED_LIMITS_H

// The number of steps of work in C between two checks of the run, where a step is a compared byte
// or a moved element. These steps take about 5 microseconds. A check then has no measurable cost,
// and a run that must end does so immediately.
#define STEPS_PER_CHECK 1000

// The number of bytes that memchr, memmem and memcmp process in the time of one step.
#define BYTES_PER_STEP 16

// The number of bytes that a plain search processes between two checks of the run, in less than a
// millisecond.
#define SEARCH_CHUNK_BYTES (1 << 20)

// The number of comparisons of a sort between two checks of the run. Only a few are allowed,
// because each may compare two strings that fill the run's memory.
#define COMPARISONS_PER_CHECK 16

// The maximum number of values that unpack, byte, char and codepoint return or take. Lua's stack
// has room for 1,000,000 values, but many nested calls must fit into the stack. Larger lists need a
// loop.
#define VALUES_MAX 8000

// The maximum number of elements that table.sort accepts, because sorting more elements takes
// seconds with a comparator in Lua.
#define SORT_ELEMENTS_MAX 1000000

// The maximum number of nested items of a pattern, where each item is one C call, and the maximum
// number of captures. Both are those of Lua 5.4.
#define PATTERN_DEPTH_MAX 200
#define PATTERN_CAPTURES_MAX 32

// The maximum length of a conversion specification in string.format, such as `%-05.3d`, as in Lua
// 5.4.
#define FORMAT_SPECIFICATION_BYTES_MAX 22

// The maximum number of digits of a width or precision in string.format, as in Lua 5.4. Both are at
// most 99.
#define FORMAT_DIGITS_MAX 2

// The maximum length of a formatted number: a double with 309 digits before the point and 99 after
// it, or padded to 99.
#define FORMAT_ITEM_BYTES_MAX 440

// The maximum total length of the strings passed to string.pack. Lua may read each string as a
// number, which takes time in proportion to the string's length but yields few bytes. The memory
// limit therefore does not bound this work.
#define PACK_ARGUMENT_BYTES_MAX (256 << 20)
#define PACK_ARGUMENTS_UNCHECKED 8

#endif
