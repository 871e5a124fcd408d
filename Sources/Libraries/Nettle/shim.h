#include <nettle/chacha-poly1305.h>
#include <nettle/md5.h>
#include <nettle/memops.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
