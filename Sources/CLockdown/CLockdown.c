#include "CLockdown.h"
