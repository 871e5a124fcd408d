-- expect: resultLimit cpuLimit
return {
  api = 1, name = "value-many-times-the-same", version = "1.0.0",
  fetch = function(ctx)
    -- Small in Lua, 2^40 entries when written out.
    local t = { 1 }
    for _ = 1, 40 do t = { t, t } end
    return { t }
  end,
}
