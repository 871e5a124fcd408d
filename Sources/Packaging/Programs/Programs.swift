// This file is empty: `swift build --target Programs` builds fetchrun and its worker, without
// linking one of them into the other.
