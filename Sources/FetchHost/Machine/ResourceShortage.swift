import Glibc

/// The messages about descriptors or memory that the system has refused.
package enum ResourceShortage {
  /// Returns the message for an error number. The messages for EMFILE, ENFILE and ENOMEM include
  /// advice.
  package static func message(_ code: Int32) -> String {
    switch code {
    case EMFILE:
      "too many files are open: this process may open \(DescriptorLimit.count); raise the limit"
        + " with `ulimit -n`, or with LimitNOFILE in a systemd unit"
    case ENFILE:
      "the programs of this machine have too many files open; end some, or raise the limit with "
        + "`sysctl fs.file-max`"
    case ENOMEM: "no memory is left; end other programs"
    default: String(cString: strerror(code))
    }
  }
}
