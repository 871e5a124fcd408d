-- expect: error-with-message.lua:5: pluginError: the service is down
-- expect: error-with-message.lua:5: in function 'check'
-- expect: error-with-message.lua:11: in function 'fetch'
local function check(answer)
  if not answer.ok then error("the service is down") end
end

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    check { ok = false }
  end,
}
