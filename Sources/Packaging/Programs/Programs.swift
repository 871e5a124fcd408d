// This target has no code. With it, `swift build --target Programs` builds `fetchrun`,
// `fetchrun-worker` and `fetchrun-web`, which are not linked into one another.
