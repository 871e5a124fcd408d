import FetchHost
import FetchTestSupport
import Glibc
import Testing

/// Tests of the system call openat2 and of the walk that replaces it. Both implementations must
/// have the same results.
@Suite struct BeneathTests {
  enum Way: CaseIterable {
    case systemCall
    case walk
  }

  private let path: String
  private let folder: Int32

  init() throws {
    path = try TemporaryFolder.make("beneath")
    try TemporaryFolder.makeFolder(path + "/in")
    try TemporaryFolder.makeFolder(path + "/in/a")
    try TemporaryFolder.makeFolder(path + "/in/a/b")
    try TemporaryFolder.write("text", to: path + "/in/a/b/file")
    try TemporaryFolder.write("secret", to: path + "/secret")
    #expect(symlink("../../secret", path + "/in/a/link") == 0)
    #expect(symlink("..", path + "/in/up") == 0)
    #expect(symlink("a/b", path + "/in/inner") == 0)
    #expect(symlink("/proc/self/root", path + "/in/magic") == 0)
    folder = Glibc.open(path + "/in", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    #expect(folder >= 0)
  }

  private func opened(_ name: String, _ way: Way, _ flags: Int32 = O_RDONLY) -> Int32 {
    switch way {
    case .systemCall: Beneath.open(folder, name, flags, mode: 0o600)
    case .walk: Beneath.walk(folder, name, flags, mode: 0o600)
    }
  }

  @Test(arguments: ["", "a", "a/b", "a/b/file"], Way.allCases)
  func `paths beneath the folder are opened`(name: String, way: Way) {
    let opened = opened(name, way)
    #expect(opened >= 0)
    #expect(fcntl(opened, F_GETFD) == FD_CLOEXEC)
    close(opened)
  }

  @Test(
    arguments: [
      ("a/link", ELOOP), ("up", ELOOP), ("up/secret", ELOOP), ("inner/file", ELOOP),
      ("inner", ELOOP), ("magic", ELOOP), ("magic/etc/passwd", ELOOP), ("..", EXDEV),
      ("../secret", EXDEV), ("a/../../secret", EXDEV), ("none", ENOENT), ("none/file", ENOENT),
      ("a/b/file/x", ENOTDIR),
    ], Way.allCases)
  func `paths that lead out of the folder are refused`(case: (name: String, code: Int32), way: Way)
  {
    #expect(opened(`case`.name, way) == -`case`.code)
  }

  @Test(arguments: Way.allCases) func `a file is created only beneath the folder`(way: Way) {
    #expect(opened("a/link", way, O_WRONLY | O_CREAT) == -ELOOP)
    #expect(opened("up/new", way, O_WRONLY | O_CREAT) == -ELOOP)
    let made = opened("a/new", way, O_WRONLY | O_CREAT | O_EXCL)
    #expect(made >= 0)
    close(made)
    #expect(access(path + "/in/a/new", F_OK) == 0)
    #expect(access(path + "/new", F_OK) != 0)
  }
}
