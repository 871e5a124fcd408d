// This target has no code. With this target, `swift build --target Programs` builds `fetchrun`,
// `fetchrun-worker` and `fetchrun-web`. These programs are not linked into one another.
