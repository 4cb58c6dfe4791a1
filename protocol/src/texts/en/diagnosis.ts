/** What is wrong with a program that failed and what to do, for a beginner, in English. */

import type { diagnosisMessages } from "../../project/diagnosis-messages.ts";
import type { MessageTexts } from "../../project/owner-message.ts";

export const diagnosis: MessageTexts<typeof diagnosisMessages> = {
  too_many_watchers: () =>
    "The program watches too many files (development mode, like nodemon or vite dev). Use the production command.",
  disk_full: () =>
    "The project's disk is full. Delete files that it has written, or change to a plan with a larger disk.",
  port_in_use: ({ port }) =>
    `Port${port === undefined ? "" : ` ${port}`} is in use already: the program opens it twice. Call listen only once, and start only one process.`,
  bot_token_invalid: () =>
    "The bot's token is invalid or missing. Check its value with tijolo env list --show (no quotes, no spaces), replace it with tijolo env set, and create another token if needed.",
  bot_token_missing: () =>
    "The bot started without a token. Set the variable that the code reads, for example tijolo env set BOT_TOKEN, and restart the project.",
  bot_intents_off: () =>
    "The bot asks for intents that are off. Turn them on in Discord's developer portal, under Bot, Privileged Gateway Intents.",
  host_name_unresolved: ({ host }) =>
    `The name ${host} could not be resolved now. Check the name and try again.`,
  host_name_unknown: ({ host }) =>
    `The address${host === undefined ? "" : ` ${host}`} was not found. Check the name; another project of the account answers as svc-… only while it is running.`,
  nothing_on_localhost: ({ port }) =>
    `The program tried to reach a service at localhost${port === undefined ? "" : `:${port}`}, where there is only the project itself. Use the address of the database or of the other project (svc-…).`,
  windows_line_ends: ({ file }) =>
    `${file === undefined ? "A script" : `The script ${file}`} was saved on Windows: each line ends with one character more (CRLF). Save it with LF line endings (in VS Code, click CRLF in the bar below) and upload again.`,
  shell_script_unfinished: ({ file }) =>
    `The script ${file} ends inside a block (if, for or quotes), or was saved on Windows, with CRLF line endings. Check the block, or save it with LF line endings.`,
  script_not_runnable: ({ file }) =>
    `The script ${file} does not exist, or the program of its first line does not exist here. Check its name and upper and lower case, and that it was saved with LF line endings, not CRLF.`,
  file_not_executable: ({ file }) =>
    `${file} cannot be executed. Run it with its interpreter (for example sh file.sh), or make it executable before you zip it.`,
  command_in_system_package: ({ command, systemPackage }) =>
    `The command ${command} is not installed. Add ${systemPackage} to systemPackages and upload again.`,
  command_in_static_package: ({ command }) =>
    `${command} is not among the packages here. Add ${command}-static to dependencies and use the path that it gives.`,
  command_unknown_to_node: ({ command }) =>
    `The command ${command} does not exist here. If it comes from a package, add that to dependencies in package.json; if not, check command.`,
  command_unknown: ({ command }) =>
    `The command ${command} does not exist here. Check command and installCommand, and the chosen language.`,
  file_missing: ({ file }) =>
    `The file ${file} does not exist. Check that it is in the .zip, its folder, and upper and lower case.`,
  syntax_error: ({ file, line, error }) =>
    `Syntax error in ${place(file, line, error)}. Correct the line and upload again.`,
  compile_error: ({ file, line, error }) =>
    `The code does not compile: ${place(file, line, error)}. Correct it and upload again.`,
  heap_too_small: ({ memoryMb }) =>
    `The program needed more memory than it has (${memoryMb} MB). Raise memoryMb, or keep less in memory.`,

  node_version_refused: ({ version, wanted }) =>
    `A package does not support Node ${version}${asking(wanted)}. Change the project's version to a Node that it supports.`,
  node_module_of_other_version: ({ version }) =>
    `A module was compiled for another version of Node; Node ${version} runs here. Leave node_modules out of the .zip, or change version, and upload again.`,
  node_internal_removed: ({ name, version }) =>
    `A library uses an internal part of Node (${name}) that Node ${version} no longer has. Change the project's version to an earlier Node, or update the library.`,
  node_modules_of_other_system: () =>
    "The .zip contains node_modules of another system (Windows or Mac). Delete the folder node_modules from the .zip and upload again.",
  next_not_built: () =>
    'The Next.js build was not made. Add "build": "next build" to the scripts in package.json and upload again.',
  prisma_not_generated: () =>
    'The Prisma client was not generated. Add "build": "prisma generate" to the scripts in package.json and upload again.',
  lock_of_other_system: ({ name }) =>
    `The lock file was made on another system and lacks the Linux part of ${name}. Delete node_modules and the lock file on your computer, run npm install and upload again.`,
  built_file_missing: ({ file }) =>
    `The file ${file} was not created. Add a build script to package.json that creates it, or check entry and command.`,
  node_file_missing: ({ file }) =>
    `The file ${file} does not exist. Check that it is in the .zip, its folder, and upper and lower case: Index.js and index.js are different here.`,
  node_package_missing: ({ name }) =>
    `The module ${name} is missing. Run npm install ${name} on your computer, check dependencies in package.json and upload again.`,
  import_in_commonjs: () =>
    'The code uses import, but the project is CommonJS. Add "type": "module" to package.json (or rename the file to .mjs).',
  require_in_module: () =>
    'The code uses require, but package.json says "type": "module". Use import instead, or rename the file to .cjs.',
  typescript_not_compiled: () =>
    "Node does not run this TypeScript file as it is. Add tsx to dependencies and use the command tsx file.ts, or compile it in the build script.",
  json_file_invalid: ({ file }) => `The file ${file} is not valid JSON. Check commas, quotes and braces.`,
  json_text_invalid: () =>
    "The program read as JSON a text that is not JSON (an empty file, or an error page instead of the response of an API). Check what it receives before JSON.parse.",
  syntax_error_somewhere: ({ error }) =>
    `The code has a syntax error: ${error}. Correct it and upload again.`,
  node_lock_outdated: ({ name }) =>
    `The lock file does not match package.json${name === undefined ? "" : ` (${name} is missing)`}. Run the install on your computer and upload both together.`,
  node_lock_missing: () =>
    "The command npm ci needs package-lock.json, which is not in the .zip. Run npm install on your computer and upload the file, or use npm install instead.",
  npm_package_unknown: ({ name }) =>
    `The package ${name} does not exist on npm. Check its name in dependencies in package.json.`,
  npm_version_unknown: ({ name }) =>
    `The version ${name} does not exist on npm. Check the number in dependencies in package.json; if another package asks for it, choose one in overrides.`,
  npm_versions_conflict: () =>
    "Two packages ask for different versions of the same one. Resolve it on your computer (npm install) and upload package-lock.json.",
  node_compiler_missing: () =>
    "A module has to be compiled. Add build-essential and python3 to systemPackages and upload again.",
  native_compile_error: ({ file, line, error, language, version }) =>
    `A module does not compile: ${place(file, line, error)}. Use a version of the package that supports ${language} ${version}, or one that comes compiled.`,
  native_module_not_built: ({ error }) =>
    `A module could not be compiled${error === undefined ? "" : `: ${error}`}. The compilers are here; see the first error with tijolo logs --section install, or use another version of the package.`,
  git_missing: () => "A package comes from a git repository. Add git to systemPackages and upload again.",
  script_missing: ({ script }) =>
    `package.json does not have the script ${script}. Check command and the scripts in package.json.`,
  package_json_invalid: () => "package.json is not valid JSON. Check commas, quotes and braces.",

  python_name_taken: ({ file }) =>
    `Your file ${file} has the same name as a module, or two files import each other. Rename the file.`,
  python_file_instead_of_package: ({ name, file }) =>
    `The program asks for ${name}, but found a file ${file}.py instead of the package ${file}. If the file is yours, rename it.`,
  python_submodule_missing: ({ name, top }) =>
    `The package ${top} exists, but ${name} does not. Check the name, upper and lower case and, if ${top} is yours, that the file is in the .zip; if not, the version in requirements.txt.`,
  python_module_missing: ({ name, package: packageName }) =>
    `The module ${name} is missing. Add a line ${packageName} to requirements.txt (or check that your file ${name}.py is in the .zip) and upload again.`,
  indentation_error: ({ file, line, error }) =>
    `Indentation error in ${place(file, line, error)}. Correct the line and upload again.`,
  python_name_undefined: ({ name, file }) =>
    `${file} does not define ${name}. Check the name, and that no two files import each other.`,
  python_name_of_other_version: ({ name, from }) =>
    `${name} does not exist in ${from}. Another version is installed: pin the version in requirements.txt (package==version).`,
  python_version_refused: ({ version, wanted = "another" }) =>
    `A package does not support Python ${version} (it asks for ${wanted}). Change the project's version.`,
  python_index_unreachable: () =>
    "Here pip did not reach the index of packages. Wait some minutes and upload again.",
  python_package_unknown: ({ name, version }) =>
    `The package ${name} does not exist, not in this version, or not for Python ${version}. Check its line in requirements.txt.`,
  python_compiler_missing: () =>
    "A package has to be compiled. Add build-essential to systemPackages, or use a version of the package that comes compiled (wheel).",
  requirements_missing: ({ file }) =>
    `The file ${file}, which the install asks for, does not exist. Check that it is in the .zip, and its name.`,
  requirements_invalid: ({ line }) => `requirements.txt has a line that pip does not understand: ${line}.`,

  jar_missing: ({ file }) =>
    `The file ${file} does not exist. Upload the finished .jar in the .zip and check its name in command.`,
  jar_corrupt: ({ file }) =>
    `${file} is not a whole .jar. Build the .jar again and check that it opens on your computer with java -jar.`,
  jar_without_main: ({ file }) =>
    `${file} does not say which class to start. Build an executable .jar (Main-Class in its manifest, with its dependencies inside).`,
  jar_of_other_version: ({ compiledFor, version }) =>
    `The .jar was compiled for Java ${compiledFor}, and the project uses Java ${version}. Change version, or compile for Java ${version}.`,
  java_class_missing: ({ name }) =>
    `The class ${name} is not in the .jar. Build a .jar with its dependencies inside (shade, fat jar or bootJar).`,
  go_version_refused: ({ wanted, version }) =>
    `go.mod asks for Go ${wanted}, and the project uses ${version}. Change version, or the line go in go.mod.`,
  go_sum_outdated: () =>
    "go.sum does not match go.mod. Run go mod tidy on your computer and upload both together.",
  go_module_missing: ({ name }) =>
    `The module ${name} is missing. Run go mod tidy on your computer and upload go.mod and go.sum.`,
  go_code_missing: ({ folder }) => `There is no Go code in ${folder}. Say in entry which file has func main.`,
  dotnet_of_other_version: ({ version }) =>
    `The project was made for another .NET. Use net${version}.0 as TargetFramework.`,
  dotnet_project_missing: () => "The .NET project was not found. Say in entry the path of the .csproj.",
  mix_file_missing: () => "mix.exs is not in the project's root. Put it beside svc.json.",
  mix_lock_outdated: () =>
    "The dependencies in mix.exs do not match mix.lock. Run mix deps.get on your computer and upload both together.",

  php_front_missing: ({ file }) =>
    `The PHP server did not find ${file}. Upload an index.php, or say in entry which file opens the site.`,
  composer_not_installed: () =>
    "Composer's dependencies were not installed. Upload composer.json (and composer.lock) in the project's root.",
  composer_lock_outdated: () =>
    "composer.lock does not match composer.json. Run composer update on your computer and upload both together.",
  php_class_missing: ({ name }) =>
    `The class ${name} was not found. Check its name, autoload in composer.json, and that its package is in require.`,
  php_version_refused: ({ version, wanted }) =>
    `A package does not support PHP ${version}${asking(wanted)}. Change the project's version, or the package's.`,
  php_function_missing: ({ name }) =>
    `The function ${name} does not exist in this PHP. Check its name, or the extension that it comes from.`,
  php_extension_missing: ({ extension }) =>
    `The PHP extension ${extension} is missing, and this service does not have it. Use a package that does not need it.`,

  gem_lock_of_other_system: () =>
    "Gemfile.lock was made on another system. Run bundle lock --add-platform x86_64-linux on your computer and upload Gemfile.lock again.",
  gem_command_unknown: ({ command }) =>
    `The command ${command} comes from no gem of the Gemfile. Add its gem to the Gemfile, run bundle install on your computer and upload again.`,
  gem_missing: ({ gem }) =>
    `The gem ${gem} is missing. Add gem "${gem}" to the Gemfile, run bundle install on your computer and upload again.`,
  gem_unknown: ({ name }) =>
    `The gem ${name} does not exist, or not in this version. Check its line in the Gemfile.`,
  gem_lock_outdated: () =>
    "Gemfile.lock does not match the Gemfile. Run bundle install on your computer and upload both together.",
  gem_compiler_missing: () =>
    "A gem has to be compiled. Add build-essential to systemPackages and upload again.",
  ruby_version_refused: ({ wanted, version }) =>
    `The Gemfile asks for Ruby ${wanted}, but the project uses ${version}. Change version, or the line ruby in the Gemfile.`,
};

function asking(wanted: string | undefined): string {
  return wanted === undefined ? "" : ` (it asks for ${wanted})`;
}

function place(file: string, line: string, error: string | undefined): string {
  return `${file}, line ${line}${error === undefined ? "" : `: ${error}`}`;
}
