extension PreludeModule {
  /// `require "time"`. `time.now` is the run's own clock, `fetchrun.now`, which returns seconds
  /// since 1970 based on the host's time. A run without such a clock has no `time.now`.
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
