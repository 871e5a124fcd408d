extension PreludeModule {
  /// `require "time"`. `time.now` is `fetchrun.now`, which returns seconds since 1970 based on the
  /// host's time. A run without `fetchrun.now` has no `time.now`.
  package static let time = PreludeModule(
    "time",
    """
    local library = ...
    local time = {}
    for name, value in pairs(library) do time[name] = value end
    time.now = fetchrun.now
    return time
    """)
}
