-- expect: ctx-field-misspelt.lua:6: pluginError: ctx has no field 'option'; it has checkpoint, complete, emit, job, note, options, run, secret, state, time_left, transfer, trigger
-- expect: ctx-field-misspelt.lua:6: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local url = ctx.option.url
    return { { id = url } }
  end,
}
