-- expect: ctx-field-set.lua:6: pluginError: ctx has no field 'cursor' (keep values in ctx.state); it has checkpoint, complete, emit, job, note, options, run, secret, state, time_left, transfer, trigger
-- expect: ctx-field-set.lua:6: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    ctx.cursor = 3
  end,
}
