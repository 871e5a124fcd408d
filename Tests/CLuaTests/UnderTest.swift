import CLuaUnderTest
import Glibc

/// Runs Lua code with `lua_under_test_run`. Returns the error's text; nil if there is no error.
func underTest(
  _ code: String, folder: String = "", seed: Int64 = 1, checksMax: Int64
) -> String? {
  guard let message = lua_under_test_run(folder, code, seed, checksMax) else { return nil }
  defer { free(message) }
  return String(cString: message)
}
