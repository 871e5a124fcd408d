import FetchHost
import Glibc
import Testing

@Suite struct ResourceShortageTests {
  @Test(arguments: [
    (EMFILE, "too many files are open; raise the limit with `ulimit -n`"),
    (
      ENFILE,
      "the programs of this machine have too many files open; end some, or raise the limit with "
        + "`sysctl fs.file-max`"
    ),
    (ENOMEM, "no memory is left; end other programs"),
    (EPERM, "Operation not permitted"),
  ]) func `the advice depends on what the system lacks`(code: Int32, message: String) {
    #expect(ResourceShortage.message(code) == message)
  }
}
