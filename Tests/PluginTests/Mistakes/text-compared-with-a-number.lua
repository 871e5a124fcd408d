-- expect: text-compared-with-a-number.lua:7: pluginError: attempt to compare number with string; to compare numbers, convert the string with tonumber(…)
-- expect: text-compared-with-a-number.lua:7: in function 'fetch'
return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local price = "7"
    if price > 3 then return {} end
    return { { id = price } }
  end,
}
