extension PreludeModule {
  /// `require "time"`: the library functions for time, and `time.now`, which returns the seconds
  /// since 1970 (`fetchrun.now`).
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
