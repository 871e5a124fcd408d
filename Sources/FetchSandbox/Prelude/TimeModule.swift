extension PreludeModule {
  /// `require "time"`. `now` is the run's own clock, `fetchrun.now`, a function that gives seconds
  /// since 1970 as the host told them; where a run has none, `time.now` is not there.
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
