import type { errors as pt } from "../../pt/cli/errors.ts";

export const errors: typeof pt = {
  errors: {
    notLoggedIn: "No API key is stored yet. Run tijolo login, or set TIJOLO_URL and TIJOLO_KEY.",
    notOperator:
      "No operator token is stored yet. Run tijolo cluster login, or set TIJOLO_URL and TIJOLO_OPERATOR_TOKEN.",
    otherServer: (url) =>
      `What is stored is for another address than ${url}. Log in again for it, or set the key by environment.`,
    noAnswer: (url) => `${url} did not answer. Check the address, the network, and that Tijolo is up.`,
    unexpectedAnswer: (what) =>
      `The answer is not that of a central of Tijolo (${what}). Check the address, and for a proxy in between.`,
    unexpected:
      "This should not happen. Repeat with TIJOLO_DEBUG=1 and show the result to the maintainers of Tijolo.",
    badUrl: (url) => `${url} is no http or https address.`,
    badConfiguration: (file) => `The file ${file} is damaged. Remove it and run tijolo login again.`,
    noFolder: (path) => `The folder ${path} does not exist.`,
    emptyFolder: (path) =>
      `There is nothing to upload in ${path}: the folder is empty or all of it is ignored.`,
    noProjectHere: (path) =>
      `${path} has no project yet. Run tijolo up in it, or name the project by id or name (tijolo list).`,
    noSuchProject: (name) => `No project is called "${name}". See tijolo list.`,
    projectOrVariable: (name) =>
      `"${name}" is a project of yours and may be a variable as well. For the project: -p ${name}. For the variable, name its project with -p.`,
    newOrProject: "--new creates a project and -p names one that exists. Use only one of them.",
    manyProjects: (name) => `More than one project is called "${name}". Give the id (tijolo list).`,
    noSuchVersion: (number) => `No version ${number} of the project is kept. See tijolo versions.`,
    noEarlierVersion:
      "No earlier version that came up is kept. To go back to another one, give its number; see tijolo versions.",
    downloadDamaged: "What arrived is not the .zip that was uploaded; nothing was written. Try again.",
    notSite: "This project is a bot: it has no address.",
    tookTooLong: (seconds, status) =>
      `After ${seconds} s the project is still ${status}. It goes on; follow it with tijolo status and tijolo logs -f.`,
    fieldIs: (name, value) => `${name}: ${value}`,
    fields: {
      field: "field",
      requiredScope: "missing scope",
      requiredRole: "missing role",
      limitMb: "limit in MB",
      limit: "limit",
      reason: "reason",
      supported: "supported",
      freeMemoryMb: "free memory in MB",
      requestedMemoryMb: "requested memory in MB",
      variables: "variables",
      sizeBytes: "size in bytes",
      requestId: "request id",
    },
    tryAgainIn: (seconds) => `Try again in ${seconds} s.`,
    badVariableName: (name) =>
      `"${name}" is no variable name: use letters, digits and _, no digit first, at most 256 characters.`,
    reservedVariable: (name) => `${name} is Tijolo's own (PORT, HOST and SVC_*) and cannot be set.`,
    noSuchVariable: (names) => `The project has no variable ${names}. See tijolo env list.`,
    oneFromInput: "Only one variable at a time can come from the input.",
    emptyInput: (name) =>
      `The input is empty: ${name} would have no value. Give ${name}=value, or pipe the value in (… | tijolo env set ${name}). For an empty value: ${name}=`,
    noFile: (path) => `The file ${path} does not exist.`,
    fileFailed: (path, why) => `Could not read or write ${path}: ${why}. Check the path and its permissions.`,
    notUtf8: (path) => `${path} is not text in UTF-8. Save it as UTF-8 and try again.`,
    fileExists: (path) => `${path} exists. Use --force to replace it, or name another file.`,
    emptyFile: (path) => `${path} has no variable in the form NAME=value.`,
    unreadableLines: (path, lines) => `Nothing was sent: there is something to correct in ${path}:\n${lines}`,
    unreadableLine: (line, what) => `  line ${line}: ${what}`,
    moreLines: (count) => `  and ${count} more`,
    lineProblems: {
      notKeyValue: "is not of the form NAME=value",
      openQuote: "the quote does not close",
      afterQuote: "there is text after the quote that closes the value",
    },
    wouldRemove: (names) => `This would remove ${names}. Confirm with --yes.`,
    notConfirmed: "Nothing was changed.",
    noSuchSetting: (name, names) => `There is no setting "${name}". There are: ${names}.`,
    notKeyValue: (word) => `"${word}" is not of the form name=value.`,
    badTime: (option) => `${option} must be a time ago (30m, 2h, 7d) or a date (2026-01-31T12:00).`,
    noUrl: "The address of Tijolo is not known yet: run tijolo login, or use --url.",
    noEmail: "Without a terminal the e-mail comes from --email or TIJOLO_EMAIL.",
    noPassword:
      "Without a terminal the password comes from the input: use --password-stdin and TIJOLO_EMAIL (or --email).",
    noCode: "The account asks for the second step: give the code with --code.",
    passwordsDiffer: "The two passwords differ. Try again.",
    shortPassword: "The password needs 10 to 200 characters.",
    noSuchKey: (name) => `No key is called "${name}". See tijolo keys list.`,
    manyKeys: (name) => `More than one key is called "${name}". Give the id (tijolo keys list).`,
  },
  hints: {
    invalid_api_key: "Run tijolo login with a valid key, or create one: tijolo keys create --save",
    insufficient_permission: "Create a read and write key: tijolo keys create --level write --save",
    insufficient_scope: "Create a key with that scope: tijolo keys create --save",
    missing_config: "Create an svc.json in the folder or use --language and --command.",
    subdomain_taken: "Choose another with --subdomain.",
    reserved_subdomain: "Choose another with --subdomain.",
    install_pending: "Fix it and run tijolo up.",
    project_busy: "Follow it with tijolo status.",
    site_not_allowed: "Upload with --type bot or change the plan.",
    invalid_link: "Ask the operator for another link.",
    key_limit_reached: "See those that exist with tijolo keys list and revoke one with tijolo keys revoke.",
    payload_too_large: "The variables together may take 32 KB.",
  },
};
