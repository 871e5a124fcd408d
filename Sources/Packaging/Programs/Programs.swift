// Empty: `swift build --target Programs` builds fetchrun and the worker that it starts, and neither
// is linked into the other.
