extension PreludeModule {
  /// `require "log"`: writes lines to the run's log, with each argument formatted by `tostring`.
  package static let log = PreludeModule(
    "log",
    #"""
    local notify, tostring, select, concat = fetchrun.notify, tostring, select, table.concat

    local function writer(level)
      return function(...)
        local parts = {}
        for index = 1, select("#", ...) do parts[index] = tostring((select(index, ...))) end
        notify("log", level, concat(parts, " "))
      end
    end

    return {
      debug = writer "debug", info = writer "info",
      warn = writer "warning", warning = writer "warning", error = writer "error",
    }
    """#)
}
