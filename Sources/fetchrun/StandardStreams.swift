import Glibc

/// The three descriptors that a program is started with.
enum StandardStreams {
  /// Takes the place of those that are closed, or the next file that is opened (a store) would be taken
  /// for one of them, and written to. They fail as closed ones do: each is open for what nobody does
  /// with it.
  static func hold() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest that is free, so it is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
