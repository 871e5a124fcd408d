import Glibc

/// Returns the size in bytes of the file at a path, or nil if there is no file.
func size(_ path: String) -> Int64? {
  var facts = stat()
  return stat(path, &facts) == 0 ? Int64(facts.st_size) : nil
}
