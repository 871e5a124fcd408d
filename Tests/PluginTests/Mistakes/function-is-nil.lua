local html = require "html"

return {
  api = 1, name = "probe", version = "1.0.0",
  fetch = function(ctx)
    local filters = { short = tostring }
    ctx:emit { title = filters.long("x") }
  end,
}
