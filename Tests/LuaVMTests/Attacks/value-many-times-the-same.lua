-- expect: resultLimit cpuLimit
return {
  api = 1, name = "value-many-times-the-same", version = "1.0.0",
  fetch = function(ctx)
    -- A small value in Lua with 2^40 entries when encoded.
    local t = { 1 }
    for _ = 1, 40 do t = { t, t } end
    return { t }
  end,
}
