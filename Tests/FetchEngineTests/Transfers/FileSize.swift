import Glibc

/// Returns the size of the file at that path; nil if there is none.
func size(_ path: String) -> Int64? {
  var facts = stat()
  return stat(path, &facts) == 0 ? Int64(facts.st_size) : nil
}
