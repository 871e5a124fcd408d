// Empty: `swift build --target Programs` builds fetchrun and its worker, without linking either into
// the other.
