-- News, failures and recoveries to a Matrix room: https://spec.matrix.org/latest/client-server-api/
local http, text, url = require "http", require "text", require "url"

-- A repeated delivery has the same transaction id, which the server accepts once (Transaction
-- identifiers).
local function send(run, ctx, plain, html)
  html = html or text.escape(plain)
  local room = url.join(ctx.options.server, "_matrix", "client", "v3", "rooms", ctx.options.room)
  local response, problem = http.put(url.join(room, "send", "m.room.message", run.delivery), {
    bearer = ctx:secret("token"),
    json = { msgtype = "m.notice", body = plain, format = "org.matrix.custom.html", formatted_body = html },
  })
  if response and response.status == 429 then -- before 1.10 without a header (Rate limiting)
    local wait = tonumber(response.body:match('"retry_after_ms"%s*:%s*(%d+)'))
    return nil, "the homeserver answered 429", wait and math.ceil(wait / 1000)
  end
  return response, problem
end

return {
  description = "messages to a Matrix room",
  options = {
    server = { type = "url", required = true, description = "address of the homeserver" },
    room = { required = true, description = "id of the room, such as !abc:example.org" },
  },
  permissions = {
    http = { "{options.server}" },
    secrets = { token = { hosts = { "{options.server}" }, required = true, description = "access token" } },
  },
  on_new_data = function(run, changes, ctx)
    local plain, html = { run.job }, { "<b>" .. text.escape(run.job) .. "</b>" }
    for i, item in ipairs(changes) do
      local what = item.change == "added" and "" or item.change .. ": "
      if item.job and item.job ~= run.job then what = item.job .. ", " .. what end
      local title = what .. text.truncate((item.title or item.id):gsub("%c", " "), 300)
      plain[i + 1], html[i + 1] = title, text.escape(title)
      if item.url and #item.url <= 1000 then
        plain[i + 1] = title .. " " .. item.url
        html[i + 1] = '<a href="' .. text.escape(item.url) .. '">' .. html[i + 1] .. "</a>"
      end
    end
    -- An event has at most 65,536 bytes (Size limits), and some bytes of the text take two in JSON.
    return send(run, ctx, text.fit(plain, 10000, { unit = "bytes" }),
      text.fit(html, 20000, { unit = "bytes", separator = "<br>" }))
  end,
  on_failed = function(run, failure, ctx)
    local what = ({ success = " is stale: ", newData = " is quiet: " })[failure.what] or " fails: "
    return send(run, ctx, run.job .. what .. text.truncate(failure.message, 1000))
  end,
  on_recovered = function(run, ctx) return send(run, ctx, run.job .. " works again") end,
}
