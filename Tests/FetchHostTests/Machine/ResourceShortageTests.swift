import FetchHost
import Glibc
import Testing

@Suite struct ResourceShortageTests {
  @Test(arguments: [
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

  @Test func `the message about open files has the limit of this process`() {
    let limit = sysconf(Int32(_SC_OPEN_MAX))
    #expect(
      ResourceShortage.message(EMFILE)
        == "too many files are open: this process may open \(limit); raise the limit with"
        + " `ulimit -n`, or with LimitNOFILE in a systemd unit")
  }
}
