// This target has no code. `swift build --target Runner` builds `fetchrun` and `fetchrun-worker`,
// which run jobs, without the page and its HTTP library.
