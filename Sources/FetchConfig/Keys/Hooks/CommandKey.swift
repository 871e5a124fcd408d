import FetchValues

/// The keys of `command`.
enum CommandKey: String, ConfigKey {
  case run
  case shell
  case timeout
  case env

  var entry: ConfigEntry {
    switch self {
    case .run: ConfigEntry(.program, "a program and its arguments", isRequired: true)
    case .shell: ConfigEntry(.flag, "`run` is one text, which `/bin/sh -c` reads", default: "false")
    case .timeout:
      ConfigEntry(.duration, "after that it is killed with all it has started", default: "1m")
    case .env:
      ConfigEntry(
        .names,
        "variables of fetchrun's environment that it has besides `PATH`, `HOME`, `LANG`, `LC_*`, `TZ`, "
          + "`TMPDIR` and `FETCHRUN_*`; none that is the source of a secret")
    }
  }
}
