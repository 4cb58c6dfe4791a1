/**
 * Lists every error of the HTTP interface: code → status, text for a person, extra fields, whether to try
 * again (spec: Errors).
 */

import { z } from "zod";
import { operatorRoles } from "./access.ts";
import { described } from "./described.ts";

export interface ErrorDefinition {
  status: 400 | 401 | 403 | 404 | 409 | 410 | 413 | 415 | 416 | 422 | 429 | 500 | 503;
  /** Text in Brazilian Portuguese: what happened and what to do. */
  message: string;
  messageEn: string;
  /** Names of the extra fields that the body may carry. */
  extra: readonly ErrorExtraName[];
  /** Those of them that are not in every error with the code. */
  optionalExtra: readonly ErrorExtraName[];
  /** True when the same request may succeed later without a change. */
  mayRetry: boolean;
}

/** Every extra field of an error body, with its shape. */
export const errorExtra = described(
  z.object({
    requiredScope: z.string(),
    limitMb: z.number().int(),
    reason: z.enum([
      "path",
      "link",
      "special_file",
      "size",
      "file_count",
      "compression_ratio",
      "malformed",
      "ip_address",
      "one_label",
      "public_suffix",
      "too_long",
      "special_use",
      "own_name",
      "not_a_site",
      "not_pem",
      "too_large",
      "weak_key",
      "key_mismatch",
      "broken_chain",
      "expired",
      "not_yet_valid",
      "wrong_names",
    ]),
    field: z.string(),
    supported: z.record(z.string(), z.array(z.string())),
    freeMemoryMb: z.number().int(),
    requestedMemoryMb: z.number().int(),
    limit: z.number().int(),
    requiredRole: z.enum(operatorRoles),
    variables: z.array(z.string()),
    sizeBytes: z.number().int(),
    requestId: z.string(),
  }),
  {
    requiredScope: { pt: "A permissão que falta à chave.", en: "The scope that the key lacks." },
    limitMb: {
      pt: "Tamanho máximo do .zip no plano, em MB; só com o estado 413.",
      en: "The largest .zip of the plan, in MB; only with the status 413.",
    },
    reason: {
      pt: "O que o .zip tem de inseguro, ou por que o domínio ou o certificado não serve.",
      en: "What is unsafe in the .zip, or why the domain or the certificate cannot be used.",
    },
    field: { pt: "O campo que está errado.", en: "The field that is wrong." },
    supported: { pt: "Versões aceitas, por linguagem.", en: "Accepted versions, by language." },
    freeMemoryMb: {
      pt: "Memória que resta no plano, em MB.",
      en: "The memory that is left on the plan, in MB.",
    },
    requestedMemoryMb: { pt: "Memória pedida, em MB.", en: "The requested memory, in MB." },
    limit: { pt: "O máximo do plano.", en: "The plan's maximum." },
    requiredRole: { pt: "O papel que a ação pede.", en: "The role that the action requires." },
    variables: { pt: "As variáveis que faltam.", en: "The variables that are missing." },
    sizeBytes: { pt: "Tamanho do arquivo inteiro, em bytes.", en: "Size of the whole file, in bytes." },
    requestId: {
      pt: "O que dizer ao operador para ele achar a falha.",
      en: "What to tell the operator, who finds the failure by it.",
    },
  },
);

export type ErrorExtra = Partial<z.infer<typeof errorExtra>>;

/** The extra fields in the examples of the API description. */
export const errorExtraExample: Required<ErrorExtra> = {
  requiredScope: "projects:settings",
  limitMb: 50,
  reason: "path",
  field: "memoryMb",
  supported: { node: ["20", "22", "24"] },
  freeMemoryMb: 128,
  requestedMemoryMb: 256,
  limit: 2,
  requiredRole: "operator",
  variables: ["TOKEN"],
  sizeBytes: 48_210,
  requestId: "01KAJ3W8M5T9Q2R7V4X6Z0B1CD",
};

type ErrorExtraName = keyof ErrorExtra;

function define(
  status: ErrorDefinition["status"],
  message: string,
  messageEn: string,
  options: Partial<Pick<ErrorDefinition, "extra" | "optionalExtra" | "mayRetry">> = {},
): ErrorDefinition {
  return { status, message, messageEn, extra: [], optionalExtra: [], mayRetry: false, ...options };
}

const table = {
  invalid_api_key: define(
    401,
    "A chave de API está ausente, errada ou foi revogada. Confira o cabeçalho Authorization: Bearer svc_… ou crie outra chave no painel.",
    "The API key is missing, wrong or revoked. Check the header Authorization: Bearer svc_… or create another key in the panel.",
  ),
  not_authenticated: define(401, "Entre no painel para fazer isso.", "Sign in to the panel to do this."),
  insufficient_permission: define(
    403,
    "Esta chave só permite leitura. Use uma chave de leitura e escrita.",
    "This key is read-only. Use a read and write key.",
  ),
  insufficient_scope: define(
    403,
    "Esta chave não tem a permissão que esta ação exige. Crie uma chave com ela no painel.",
    "This key lacks the scope this action needs. Create a key that has it in the panel.",
    { extra: ["requiredScope"] },
  ),
  api_key_not_allowed: define(
    403,
    "Esta ação não aceita chave de API. Faça pelo painel.",
    "This action does not accept API keys. Use the panel.",
  ),
  invalid_operator_token: define(
    401,
    "O token de operador não foi aceito: está ausente, errado, vencido ou foi revogado. Envie Authorization: Bearer tjo_…; na linha de comando, entre com tijolo cluster login.",
    "The operator token was not accepted: it is missing, wrong, expired or revoked. Send Authorization: Bearer tjo_…; on the command line, sign in with tijolo cluster login.",
  ),
  insufficient_role: define(
    403,
    "O papel deste operador não permite esta ação. Peça-a a um operador com o papel que falta.",
    "This operator's role does not allow this action. Ask an operator who has the role that is missing.",
    { extra: ["requiredRole"] },
  ),
  two_factor_required: define(
    403,
    "Operar o cluster pede duas etapas. Ligue a entrada em duas etapas na sua conta, em Segurança, ou entre com uma chave de acesso, e tente de novo.",
    "Running the cluster needs two steps. Turn on two-factor sign-in in your account, under Security, or sign in by a passkey, and try again.",
  ),
  confirmation_required: define(
    403,
    "Esta mudança pede que você confirme quem é: digite sua senha de novo, ou use uma chave de acesso. Vale por 15 minutos.",
    "This change needs you to confirm who you are: type your password again, or use a passkey. It lasts for 15 minutes.",
  ),
  invalid_start_link: define(
    403,
    "Este link de início não vale mais: já foi usado, venceu ou há um mais novo. Quem cuida da máquina vê outro ao iniciar o Tijolo de novo, ou com tijolo cluster operator link.",
    "This start link is not valid any more: it was used, it expired or there is a newer one. Whoever runs the machine gets another by starting Tijolo again, or with tijolo cluster operator link.",
  ),
  last_owner: define(
    409,
    "Este é o único dono (owner) sem prazo do cluster: sem ele, ninguém mais daria este papel. Crie outro antes.",
    "This is the cluster's only owner without an expiry: without it nobody could give that role again. Add another one first.",
  ),
  operator_limit_reached: define(
    403,
    "O cluster já tem o máximo de operadores. Revogue um que não se usa mais.",
    "The cluster has the most operators that it can have. Revoke one that is no longer used.",
    { extra: ["limit"] },
  ),
  rate_limit_exceeded: define(
    429,
    "O limite de requisições foi atingido. Espere o tempo indicado em Retry-After.",
    "The request limit was reached. Wait for the time in Retry-After.",
    { mayRetry: true },
  ),
  too_many_requests: define(
    429,
    "Você repetiu esta ação rápido demais. Espere o tempo indicado em Retry-After.",
    "You repeated this action too quickly. Wait for the time in Retry-After.",
    { mayRetry: true },
  ),
  too_many_attempts: define(
    429,
    "Houve tentativas erradas demais. Espere o tempo indicado em Retry-After e confira o que está enviando.",
    "There were too many wrong attempts. Wait for the time in Retry-After and check what you send.",
    { mayRetry: true },
  ),
  invalid_request: define(
    400,
    "A requisição tem um parâmetro ou um corpo fora do formato. Confira nomes e valores na documentação da API.",
    "A parameter or the body of the request is out of format. Check names and values in the API's documentation.",
    { extra: ["field"], optionalExtra: ["field"] },
  ),
  unsupported_media_type: define(
    415,
    "O tipo do corpo não é aceito aqui. Envie o Content-Type que esta rota espera.",
    "The body's type is not accepted here. Send the Content-Type this route expects.",
  ),
  payload_too_large: define(
    413,
    "O corpo da requisição é grande demais. Envie menos dados.",
    "The request body is too large. Send less.",
  ),
  not_found: define(
    404,
    "Não encontramos isso na sua conta. Confira o endereço e o id.",
    "This was not found in your account. Check the address and the id.",
  ),
  internal_error: define(
    500,
    "Algo falhou do nosso lado. Tente de novo; se continuar, informe o requestId ao operador.",
    "Something failed on our side. Try again; if it goes on, give the requestId to the operator.",
    { extra: ["requestId"], mayRetry: true },
  ),
  invalid_zip: define(
    422,
    "O arquivo não pode ser usado: está corrompido, vazio, protegido por senha ou passa do limite do seu plano. Gere o .zip de novo.",
    "The file cannot be used: it is corrupt, empty, password-protected or over your plan's limit. Make the .zip again.",
    { extra: ["limitMb"], optionalExtra: ["limitMb"] },
  ),
  unsafe_zip: define(
    422,
    "O .zip tem links, caminhos fora da pasta, arquivos especiais ou fica grande demais ao extrair. Tire-os e envie de novo.",
    "The .zip has links, paths outside the folder, special files, or becomes too large when extracted. Remove them and send it again.",
    { extra: ["reason"] },
  ),
  missing_config: define(
    422,
    "Falta a configuração: coloque um svc.json no .zip ou envie language e command no formulário.",
    "The configuration is missing: put an svc.json into the .zip or send language and command in the form.",
  ),
  invalid_config: define(
    422,
    "Uma configuração do projeto não é válida. Corrija o campo indicado em field.",
    "A setting of the project is not valid. Correct the field named in field.",
    { extra: ["field"], optionalExtra: ["field"] },
  ),
  unsupported_language: define(
    422,
    "Esta linguagem ou versão não é oferecida. Escolha uma da lista em supported.",
    "This language or version is not offered. Choose one of the list in supported.",
    { extra: ["supported"] },
  ),
  insufficient_memory: define(
    422,
    "A memória pedida passa do que resta no seu plano. Peça menos ou libere memória de outro projeto.",
    "The requested memory exceeds what is left on your plan. Ask for less or free memory of another project.",
    { extra: ["freeMemoryMb", "requestedMemoryMb"] },
  ),
  project_limit_reached: define(
    403,
    "Seu plano chegou ao máximo de projetos. Apague um projeto ou mude de plano.",
    "Your plan's maximum of projects is reached. Delete a project or change the plan.",
    { extra: ["limit"] },
  ),
  site_not_allowed: define(
    403,
    "Seu plano não inclui sites. Mude de plano ou envie como bot.",
    "Your plan does not include sites. Change the plan or upload it as a bot.",
  ),
  site_limit_reached: define(
    403,
    "Seu plano chegou ao máximo de sites. Apague um site ou mude de plano.",
    "Your plan's maximum of sites is reached. Delete a site or change the plan.",
    { extra: ["limit"] },
  ),
  invalid_subdomain: define(
    422,
    "O subdomínio deve ter de 3 a 32 caracteres: letras minúsculas, números e hífen, sem hífen nas pontas.",
    "The subdomain must have 3 to 32 characters: lowercase letters, digits and hyphen, no hyphen at the ends.",
    { extra: ["field"] },
  ),
  reserved_subdomain: define(
    422,
    "Este subdomínio é reservado. Escolha outro nome.",
    "This subdomain is reserved. Choose another name.",
    {
      extra: ["field"],
    },
  ),
  subdomain_taken: define(
    409,
    "Outro site já usa este subdomínio. Escolha outro nome.",
    "Another site uses this subdomain. Choose another name.",
    { extra: ["field"] },
  ),
  invalid_domain: define(
    422,
    "Este nome não pode ser um domínio de site.",
    "This name cannot be a site's domain.",
    { extra: ["field", "reason"] },
  ),
  wildcard_not_available: define(
    422,
    "Domínios com * não são oferecidos aqui. Ponha cada nome por si, ou fale com o operador.",
    "Domains with * are not offered here. Add each name by itself, or ask the operator.",
  ),
  domain_taken: define(
    409,
    "Este domínio já está em uso: outro site responde por ele, e a prova dele ainda está no DNS. Se o domínio é seu, tire de lá o registro que não é desta conta e confira de novo.",
    "This domain is in use: another site answers under it, and its proof is still in DNS. If the domain is yours, remove the record that is not this account's there, and check again.",
  ),
  domain_limit_reached: define(
    403,
    "Seu plano chegou ao máximo de domínios próprios. Tire um domínio ou mude de plano.",
    "Your plan's maximum of own domains is reached. Remove a domain or change the plan.",
    { extra: ["limit"] },
  ),
  invalid_certificate: define(
    422,
    "O certificado não pode ser usado: veja o campo e o motivo.",
    "The certificate cannot be used: see the field and the reason.",
    { extra: ["field", "reason"] },
  ),
  no_capacity: define(
    409,
    "Os servidores estão cheios agora. Nada foi cobrado nem apagado; tente mais tarde.",
    "The servers are full now. Nothing was charged or deleted; try later.",
    { mayRetry: true },
  ),
  project_busy: define(
    409,
    "O projeto está sendo preparado, ou ainda está iniciando, parando ou reiniciando. Espere terminar e tente de novo em alguns segundos.",
    "The project is being prepared, or is still starting, stopping or restarting. Wait for that to end and try again in some seconds.",
    { mayRetry: true },
  ),
  install_pending: define(
    409,
    "A última instalação falhou, então não há o que iniciar. Veja os logs de Instalação, corrija e envie o código de novo.",
    "The last install failed, so there is nothing to start. Read the install logs, fix it and upload the code again.",
  ),
  plan_limit_reached: define(
    422,
    "Iniciar este projeto passa da memória do seu plano com os que já estão no ar. Pare outro projeto antes.",
    "Starting this project exceeds your plan's memory with those already running. Stop another project first.",
    { extra: ["freeMemoryMb", "requestedMemoryMb"] },
  ),
  account_suspended: define(
    409,
    "A conta está suspensa. Parar projetos continua permitido; regularize a conta para o resto.",
    "The account is suspended. Stopping projects stays allowed; settle the account for the rest.",
  ),
  beta_ending: define(
    409,
    "O beta acabou e a conta está voltando ao plano Free. Nada foi apagado; tente em alguns minutos.",
    "The beta has ended and the account is returning to Free. Nothing was deleted; try in some minutes.",
    { mayRetry: true },
  ),
  server_unavailable: define(
    503,
    "O servidor do projeto não respondeu a tempo. Nada foi mudado; tente de novo em instantes.",
    "The project's server did not answer in time. Nothing was changed; try again shortly.",
    { mayRetry: true },
  ),
  variables_unavailable: define(
    503,
    "As variáveis do projeto não puderam ser abertas. Nada foi gravado; avise o operador.",
    "The project's variables could not be opened. Nothing was stored; tell the operator.",
    { mayRetry: true },
  ),
  // Of operations that the spec does not show: the panel's.
  invalid_credentials: define(
    401,
    "E-mail ou senha errados. Confira os dois.",
    "Wrong e-mail or password. Check both.",
  ),
  invalid_code: define(
    401,
    "O código está errado ou já passou. Digite o que o autenticador mostra agora, ou um código de recuperação.",
    "The code is wrong or has expired. Type what the authenticator shows now, or a recovery code.",
  ),
  invalid_passkey: define(
    401,
    "A chave de acesso não foi aceita: não é conhecida aqui, foi removida ou o pedido venceu. Tente de novo, ou entre com a senha.",
    "The passkey was not accepted: it is not known here, was removed, or the request has expired. Try again, or sign in with the password.",
  ),
  passkey_limit_reached: define(
    403,
    "Você chegou ao máximo de chaves de acesso. Remova uma que não usa mais.",
    "Your maximum of passkeys is reached. Remove one that you no longer use.",
    { extra: ["limit"] },
  ),
  passkeys_unavailable: define(
    409,
    "Neste endereço não há chaves de acesso. Entre com a senha.",
    "There are no passkeys at this address. Sign in with the password.",
  ),
  wrong_password: define(
    403,
    "A senha está errada. Confirme com a senha da conta.",
    "The password is wrong. Confirm with the account's password.",
  ),
  sign_up_closed: define(
    403,
    "O cadastro não está aberto a todos aqui. Fale com o operador.",
    "Sign-up is not open to everybody here. Ask the operator.",
  ),
  invalid_link: define(
    403,
    "O link não vale mais: está errado, já foi usado ou venceu. Peça outro.",
    "The link is not valid any more: it is wrong, used or expired. Ask for another.",
  ),
  email_taken: define(
    409,
    "Já existe uma conta com este e-mail. Entre nela, ou troque a senha se a esqueceu.",
    "An account with this e-mail exists. Sign in, or reset the password if you forgot it.",
  ),
  key_limit_reached: define(
    403,
    "A conta chegou ao máximo de chaves. Revogue uma que não usa mais.",
    "The account's maximum of keys is reached. Revoke one that you no longer use.",
    { extra: ["limit"] },
  ),
  missing_variables: define(
    422,
    "Faltam variáveis que o template exige. Preencha-as antes de iniciar.",
    "Variables the template requires are missing. Fill them in before starting.",
    { extra: ["variables"] },
  ),
  archive_gone: define(
    410,
    "O .zip desta versão não está mais guardado. Escolha outra versão ou envie o código de novo.",
    "The .zip of this version is no longer stored. Choose another version or upload the code again.",
  ),
  range_not_satisfiable: define(
    416,
    "O trecho pedido em Range começa depois do fim do arquivo. Confira o tamanho em sizeBytes.",
    "The part requested in Range begins after the end of the file. Check the size in sizeBytes.",
    { extra: ["sizeBytes"] },
  ),
} satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof table;

export const errorTable: Record<ErrorCode, ErrorDefinition> = table;

export const errorCodes = Object.keys(table).filter(isErrorCode);

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(table, code);
}

/** The body of every error answer (spec: "Errors"). */
export const errorBody = described(
  z.looseObject({ status: z.literal("error"), code: z.string(), message: z.string() }),
  {
    status: { pt: "Sempre `error`.", en: "Always `error`." },
    code: {
      pt: "Identificador fixo; é nele que um programa confia.",
      en: "A fixed identifier; programs rely on it.",
    },
    message: { pt: "Texto para uma pessoa; pode mudar.", en: "A text for a person; it may change." },
  },
);
