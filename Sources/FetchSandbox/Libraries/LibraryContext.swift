/// What pure library functions keep for one run between calls, such as parsed documents that Lua
/// holds handles of. Made when the run starts, dropped with it; used from the worker's one thread.
package final class LibraryContext {
  let documents = XMLDocuments()

  package init() {}
}
