// The first byte of an encoded value; ValueTag in FetchValues/Values/ValueReader.swift describes
// the format.
#ifndef FETCHRUN_TAGS_H
#define FETCHRUN_TAGS_H

enum {
  TAG_NULL = 0,
  TAG_FALSE = 1,
  TAG_TRUE = 2,
  TAG_INTEGER = 3,
  TAG_NUMBER = 4,
  TAG_STRING = 5,
  TAG_ARRAY = 6,
  TAG_OBJECT = 7,
  TAG_SHORT_STRING = 8,
  TAG_SMALL_INTEGER = 9,
};

#endif
