/** What is wrong with a program that failed and what to do, for a beginner, in Portuguese. */

import type { diagnosisMessages } from "../../project/diagnosis-messages.ts";
import type { MessageTexts } from "../../project/owner-message.ts";

export const diagnosis: MessageTexts<typeof diagnosisMessages> = {
  too_many_watchers: () =>
    "O programa vigia arquivos demais (modo de desenvolvimento, como nodemon ou vite dev). Use o comando de produção.",
  disk_full: () =>
    "O disco do projeto está cheio. Apague arquivos que ele gravou ou mude para um plano com mais disco.",
  port_in_use: ({ port }) =>
    `A porta${port === undefined ? "" : ` ${port}`} já está em uso: o programa a abre duas vezes. Chame listen uma vez só e inicie um processo só.`,
  bot_token_invalid: () =>
    "O token do bot é inválido ou não chegou. Confira o valor com tijolo env list --show (sem aspas e sem espaços), troque com tijolo env set, e gere outro token se preciso.",
  bot_token_missing: () =>
    "O bot iniciou sem token. Defina a variável que o código lê, por exemplo tijolo env set BOT_TOKEN, e reinicie o projeto.",
  bot_intents_off: () =>
    "O bot pede intents que não estão ligados. Ligue-os no portal de desenvolvedores do Discord, em Bot, Privileged Gateway Intents.",
  host_name_unresolved: ({ host }) =>
    `O nome ${host} não pôde ser resolvido agora. Confira o nome e tente de novo.`,
  host_name_unknown: ({ host }) =>
    `O endereço${host === undefined ? "" : ` ${host}`} não foi encontrado. Confira o nome; outro projeto da conta só responde por svc-… enquanto está No ar.`,
  nothing_on_localhost: ({ port }) =>
    `O programa tentou falar com um serviço em localhost${port === undefined ? "" : `:${port}`}, e ali só há o próprio projeto. Use o endereço do banco ou do outro projeto (svc-…).`,
  windows_line_ends: ({ file }) =>
    `${file === undefined ? "Um script" : `O script ${file}`} foi salvo no Windows: cada linha termina com um caractere a mais (CRLF). Salve com fim de linha LF (no VS Code, clique em CRLF na barra de baixo) e envie de novo.`,
  shell_script_unfinished: ({ file }) =>
    `O script ${file} acaba no meio de um bloco (if, for ou aspas), ou foi salvo no Windows, com fim de linha CRLF. Confira o bloco ou salve com fim de linha LF.`,
  script_not_runnable: ({ file }) =>
    `O script ${file} não existe, ou não existe aqui o programa da primeira linha dele. Confira o nome e as maiúsculas, e se ele foi salvo com fim de linha LF, não CRLF.`,
  file_not_executable: ({ file }) =>
    `${file} não pode ser executado. Rode-o pelo interpretador (por exemplo sh arquivo.sh) ou dê a permissão antes de zipar.`,
  command_in_system_package: ({ command, systemPackage }) =>
    `O comando ${command} não está instalado. Acrescente ${systemPackage} em systemPackages e envie de novo.`,
  command_in_static_package: ({ command }) =>
    `O ${command} não está entre os pacotes daqui. Ponha ${command}-static em dependencies e use o caminho que ele dá.`,
  command_unknown_to_node: ({ command }) =>
    `O comando ${command} não existe aqui. Se vem de um pacote, ponha-o em dependencies do package.json; senão confira command.`,
  command_unknown: ({ command }) =>
    `O comando ${command} não existe aqui. Confira command e installCommand, e a linguagem escolhida.`,
  file_missing: ({ file }) =>
    `O arquivo ${file} não existe. Confira se está no .zip, a pasta e as letras maiúsculas.`,
  syntax_error: ({ file, line, error }) =>
    `Erro de sintaxe em ${place(file, line, error)}. Corrija a linha e envie de novo.`,
  compile_error: ({ file, line, error }) =>
    `O código não compila: ${place(file, line, error)}. Corrija e envie de novo.`,
  heap_too_small: ({ memoryMb }) =>
    `O programa precisou de mais memória do que tem (${memoryMb} MB). Aumente memoryMb ou guarde menos na memória.`,

  node_version_refused: ({ version, wanted }) =>
    `Um pacote não aceita o Node ${version}${asking(wanted)}. Mude version do projeto para um Node que ele aceite.`,
  node_module_of_other_version: ({ version }) =>
    `Um módulo foi compilado para outra versão do Node; aqui roda o Node ${version}. Não envie node_modules no .zip, ou mude version, e envie de novo.`,
  node_internal_removed: ({ name, version }) =>
    `Uma biblioteca usa uma parte interna do Node (${name}) que o Node ${version} não tem mais. Mude version do projeto para um Node anterior, ou atualize a biblioteca.`,
  node_modules_of_other_system: () =>
    "O .zip traz node_modules de outro sistema (Windows ou Mac). Apague a pasta node_modules do .zip e envie de novo.",
  next_not_built: () =>
    'O build do Next.js não foi feito. Ponha "build": "next build" nos scripts do package.json e envie de novo.',
  prisma_not_generated: () =>
    'O cliente do Prisma não foi gerado. Ponha "build": "prisma generate" nos scripts do package.json e envie de novo.',
  lock_of_other_system: ({ name }) =>
    `O arquivo de lock foi feito em outro sistema e não traz a parte para Linux de ${name}. Apague node_modules e o arquivo de lock no seu computador, rode npm install e envie de novo.`,
  built_file_missing: ({ file }) =>
    `O arquivo ${file} não foi criado. Ponha um script build no package.json que o crie, ou confira entry e command.`,
  node_file_missing: ({ file }) =>
    `O arquivo ${file} não existe. Confira se está no .zip, a pasta e as letras maiúsculas: aqui Index.js e index.js são diferentes.`,
  node_package_missing: ({ name }) =>
    `Falta o módulo ${name}. Rode npm install ${name} no seu computador, confira dependencies no package.json e envie de novo.`,
  import_in_commonjs: () =>
    'O código usa import, mas o projeto é CommonJS. Ponha "type": "module" no package.json (ou renomeie o arquivo para .mjs).',
  require_in_module: () =>
    'O código usa require, mas o package.json diz "type": "module". Troque por import, ou renomeie o arquivo para .cjs.',
  typescript_not_compiled: () =>
    "O Node não roda este arquivo TypeScript assim. Ponha tsx em dependencies e use o comando tsx arquivo.ts, ou compile no script build.",
  json_file_invalid: ({ file }) =>
    `O arquivo ${file} não é um JSON válido. Confira vírgulas, aspas e chaves.`,
  json_text_invalid: () =>
    "O programa leu como JSON um texto que não é JSON (um arquivo vazio, ou uma página de erro em vez da resposta de uma API). Confira o que ele recebe antes do JSON.parse.",
  syntax_error_somewhere: ({ error }) =>
    `O código tem um erro de sintaxe: ${error}. Corrija e envie de novo.`,
  node_lock_outdated: ({ name }) =>
    `O arquivo de lock não combina com o package.json${name === undefined ? "" : ` (falta ${name})`}. Rode a instalação no seu computador e envie os dois juntos.`,
  node_lock_missing: () =>
    "O npm ci precisa do package-lock.json, que não está no .zip. Rode npm install no seu computador e envie o arquivo, ou use npm install no lugar.",
  npm_package_unknown: ({ name }) =>
    `O pacote ${name} não existe no npm. Confira o nome em dependencies do package.json.`,
  npm_version_unknown: ({ name }) =>
    `A versão ${name} não existe no npm. Confira o número em dependencies do package.json; se é outro pacote que a pede, escolha uma em overrides.`,
  npm_versions_conflict: () =>
    "Dois pacotes pedem versões diferentes do mesmo. Resolva no seu computador (npm install) e envie o package-lock.json.",
  node_compiler_missing: () =>
    "Um módulo precisa ser compilado. Acrescente build-essential e python3 em systemPackages e envie de novo.",
  native_compile_error: ({ file, line, error, language, version }) =>
    `Um módulo não compila: ${place(file, line, error)}. Use uma versão do pacote que aceite ${language} ${version}, ou uma que já venha compilada.`,
  native_module_not_built: ({ error }) =>
    `Um módulo não pôde ser compilado${error === undefined ? "" : `: ${error}`}. Os compiladores estão aqui; veja o primeiro erro com tijolo logs --section install, ou use outra versão do pacote.`,
  git_missing: () => "Um pacote vem de um repositório git. Acrescente git em systemPackages e envie de novo.",
  script_missing: ({ script }) =>
    `O package.json não tem o script ${script}. Confira command e a parte scripts do package.json.`,
  package_json_invalid: () => "O package.json não é um JSON válido. Confira vírgulas, aspas e chaves.",

  python_name_taken: ({ file }) =>
    `O seu arquivo ${file} tem o mesmo nome de um módulo, ou dois arquivos importam um ao outro. Renomeie o arquivo.`,
  python_file_instead_of_package: ({ name, file }) =>
    `O programa pede ${name}, mas achou um arquivo ${file}.py em vez do pacote ${file}. Se o arquivo é seu, renomeie-o.`,
  python_submodule_missing: ({ name, top }) =>
    `O pacote ${top} existe, mas ${name} não. Confira o nome, as maiúsculas e, se ${top} é seu, se o arquivo está no .zip; senão, a versão em requirements.txt.`,
  python_module_missing: ({ name, package: packageName }) =>
    `Falta o módulo ${name}. Ponha ${packageName} em uma linha do requirements.txt (ou confira se o seu arquivo ${name}.py está no .zip) e envie de novo.`,
  indentation_error: ({ file, line, error }) =>
    `Erro de indentação em ${place(file, line, error)}. Corrija a linha e envie de novo.`,
  python_name_undefined: ({ name, file }) =>
    `${file} não define ${name}. Confira o nome e se dois arquivos não importam um ao outro.`,
  python_name_of_other_version: ({ name, from }) =>
    `${name} não existe em ${from}. A versão instalada é outra: fixe a versão no requirements.txt (pacote==versão).`,
  python_version_refused: ({ version, wanted = "outro" }) =>
    `Um pacote não aceita o Python ${version} (pede ${wanted}). Mude version do projeto.`,
  python_index_unreachable: () =>
    "O pip não alcançou o índice de pacotes. Espere alguns minutos e envie de novo.",
  python_package_unknown: ({ name, version }) =>
    `O pacote ${name} não existe, não nesta versão, ou não para o Python ${version}. Confira a linha no requirements.txt.`,
  python_compiler_missing: () =>
    "Um pacote precisa ser compilado. Acrescente build-essential em systemPackages, ou use uma versão do pacote que venha pronta (wheel).",
  requirements_missing: ({ file }) =>
    `O arquivo ${file}, que a instalação pede, não existe. Confira se está no .zip e o nome.`,
  requirements_invalid: ({ line }) => `O requirements.txt tem uma linha que o pip não entende: ${line}.`,

  jar_missing: ({ file }) =>
    `O arquivo ${file} não existe. Envie o .jar pronto no .zip e confira o nome em command.`,
  jar_corrupt: ({ file }) =>
    `${file} não é um .jar inteiro. Gere o .jar de novo e confira se abre no seu computador com java -jar.`,
  jar_without_main: ({ file }) =>
    `${file} não diz qual classe iniciar. Gere um .jar executável (Main-Class no manifesto, com as dependências dentro).`,
  jar_of_other_version: ({ compiledFor, version }) =>
    `O .jar foi compilado para o Java ${compiledFor}, e o projeto usa o Java ${version}. Mude version ou compile para o Java ${version}.`,
  java_class_missing: ({ name }) =>
    `A classe ${name} não está no .jar. Gere um .jar com as dependências dentro (shade, fat jar ou bootJar).`,
  go_version_refused: ({ wanted, version }) =>
    `O go.mod pede o Go ${wanted}, e o projeto usa o ${version}. Mude version ou a linha go do go.mod.`,
  go_sum_outdated: () =>
    "O go.sum não combina com o go.mod. Rode go mod tidy no seu computador e envie os dois juntos.",
  go_module_missing: ({ name }) =>
    `Falta o módulo ${name}. Rode go mod tidy no seu computador e envie o go.mod e o go.sum.`,
  go_code_missing: ({ folder }) =>
    `Não há código Go em ${folder}. Diga em entry o arquivo que tem func main.`,
  dotnet_of_other_version: ({ version }) =>
    `O projeto foi feito para outro .NET. Use net${version}.0 em TargetFramework.`,
  dotnet_project_missing: () => "O projeto .NET não foi encontrado. Diga em entry o caminho do .csproj.",
  mix_file_missing: () => "O mix.exs não está na raiz do projeto. Ponha-o ao lado do svc.json.",
  mix_lock_outdated: () =>
    "As dependências do mix.exs não combinam com o mix.lock. Rode mix deps.get no seu computador e envie os dois juntos.",

  php_front_missing: ({ file }) =>
    `O servidor de PHP não encontrou ${file}. Envie um index.php ou diga em entry qual arquivo abre o site.`,
  composer_not_installed: () =>
    "As dependências do Composer não foram instaladas. Envie o composer.json (e o composer.lock) na raiz do projeto.",
  composer_lock_outdated: () =>
    "O composer.lock não combina com o composer.json. Rode composer update no seu computador e envie os dois juntos.",
  php_class_missing: ({ name }) =>
    `A classe ${name} não foi encontrada. Confira o nome, o autoload do composer.json e se o pacote está em require.`,
  php_version_refused: ({ version, wanted }) =>
    `Um pacote não aceita o PHP ${version}${asking(wanted)}. Mude version do projeto ou a versão do pacote.`,
  php_function_missing: ({ name }) =>
    `A função ${name} não existe neste PHP. Confira o nome ou a extensão de que ela vem.`,
  php_extension_missing: ({ extension }) =>
    `Falta a extensão ${extension} do PHP, que este serviço não tem. Use um pacote que não precise dela.`,

  gem_lock_of_other_system: () =>
    "O Gemfile.lock foi feito em outro sistema. Rode bundle lock --add-platform x86_64-linux no seu computador e envie o Gemfile.lock de novo.",
  gem_command_unknown: ({ command }) =>
    `O comando ${command} não vem de nenhuma gem do Gemfile. Ponha a gem dele no Gemfile, rode bundle install no seu computador e envie de novo.`,
  gem_missing: ({ gem }) =>
    `Falta a gem ${gem}. Ponha gem "${gem}" no Gemfile, rode bundle install no seu computador e envie de novo.`,
  gem_unknown: ({ name }) => `A gem ${name} não existe ou não nesta versão. Confira a linha no Gemfile.`,
  gem_lock_outdated: () =>
    "O Gemfile.lock não combina com o Gemfile. Rode bundle install no seu computador e envie os dois juntos.",
  gem_compiler_missing: () =>
    "Uma gem precisa ser compilada. Acrescente build-essential em systemPackages e envie de novo.",
  ruby_version_refused: ({ wanted, version }) =>
    `O Gemfile pede o Ruby ${wanted}, mas o projeto usa o ${version}. Mude version ou a linha ruby do Gemfile.`,
};

function asking(wanted: string | undefined): string {
  return wanted === undefined ? "" : ` (pede ${wanted})`;
}

function place(file: string, line: string, error: string | undefined): string {
  return `${file}, linha ${line}${error === undefined ? "" : `: ${error}`}`;
}
