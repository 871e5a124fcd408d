-- expect: nestingLimit
return {
  api = 1, name = "value-deep", version = "1.0.0",
  fetch = function(ctx)
    local t = {}
    for _ = 1, 100000 do t = { t } end
    return { t }
  end,
}
