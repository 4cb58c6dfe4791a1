-- Where a request of a PHP site goes: to the file or folder that it names, or else to the front controller. What is no page is not there.

local request = lighty.r.req_attr
local path = request["physical.path"]
local name = request["physical.rel-path"]
local not_found = 404

local function is_file(file)
  local found = lighty.c.stat(file)
  return found ~= nil and found.is_file
end

local function is_private()
  if name:find("/.", 1, true) and not name:find("^/%.well%-known/") then return true end
  if name:find("~$") or name:find("%.inc$") then return true end
  if name:find("^/vendor/.*%.php") then return true end
  local settings = { "/svc.json", "/php.ini", "/composer.json", "/composer.lock", "/auth.json", "/package.json", "/package-lock.json" }
  for _, setting in ipairs(settings) do
    if name == setting then return true end
  end
  return false
end

local function is_there()
  local found = lighty.c.stat(path)
  if found ~= nil and found.is_file then return true end
  if found ~= nil and found.is_dir then
    local folder = path:gsub("/*$", "/")
    return is_file(folder .. "index.php") or is_file(folder .. "index.html")
  end
  -- script.php/more: the rest is its PATH_INFO.
  local script = path:match("^(.-%.php)/")
  return script ~= nil and is_file(script)
end

if is_private() then return not_found end
if not is_there() then
  local front = os.getenv("PHP_SERVER_FRONT")
  request["uri.path"] = front
  request["physical.rel-path"] = front
  request["physical.path"] = request["physical.doc-root"]:gsub("/*$", "") .. front
end
