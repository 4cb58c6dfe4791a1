/** Rows of the interface specification: "Limits". */

export const limitsRows = {
  "rate.counted":
    "Requests made with a key are counted per account (all keys added together), per minute and per day.",
  "rate.Free": "Free | 10 | 5000",
  "rate.Block": "Block | 30 | 43200",
  "rate.Stack": "Stack | 60 | 86400",
  "rate.Tower": "Tower | 120 | 172800",
  "rate.Fortress": "Fortress | 180 | 259200",
  "rate.Empresas": "Empresas | 240 | 345600",
  "header.RateLimit-Limit": "`RateLimit-Limit` | limit of the tightest window at the moment",
  "header.RateLimit-Remaining": "`RateLimit-Remaining` | requests still allowed in it",
  "header.RateLimit-Reset": "`RateLimit-Reset` | seconds until it resets",
  "header.RateLimit-Policy":
    "`RateLimit-Policy` | both plan windows, in the form `<per-minute>;w=60, <per-day>;w=86400`",
  "rate.over": "Over the limit: 429 `rate_limit_exceeded` with `Retry-After`.",
  "limit.upload":
    ".zip upload frequency | 1 per 3 seconds per account | project create and code upload (429 `too_many_requests`)",
  "limit.log_opening":
    "log stream opening | 1 per 5 seconds per project, up to 5 open at once | logs endpoint (429 `too_many_requests`)",
  "limit.keys": "API keys per account | 10 | key management",
  "limit.wrong_keys":
    "wrong-key attempts | 10 per IP in 10 minutes, then 15 minutes blocked | authentication",
  "limit.revoked_log": "log stream after key revoked | closes within 20 seconds | logs endpoint",
  "limit.lines": "`lines` | at most 1000 | logs endpoint",
  "limit.variables": "environment variables total | 32 KB | variables endpoints",
  "limit.name": "`name` | 40 characters | project",
  "limit.description": "`description` | 200 characters | project",
  "limit.subdomain": "`subdomain` | 3 to 32 characters | sites",
  "limit.install_time": "install time | 5 minutes | install",
  "limit.install_memory": "install memory | 1 GB | install",
  "limit.crashes":
    "crashes before `crash_loop` | 5 consecutive; counter resets after 60 seconds running | running project",
  "limit.bot_memory": "bot memory minimum on paid plans | 256 MB | settings",
};
