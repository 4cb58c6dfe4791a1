/** What the API description says of its groups and operations beyond their one line. */

import type { OperationName } from "../contract/operations.ts";

export const tagTexts: Readonly<Record<string, string>> = {
  Projetos: "Bots e sites: criar a partir de um .zip, mostrar, configurar, apagar.",
  Controle: "Iniciar, parar e reiniciar.",
  "Logs e métricas": "O que o projeto escreve e o que ele usa.",
  "Variáveis de ambiente": "Segredos e configuração que o programa lê do ambiente. São guardadas cifradas.",
  "Versões dos envios": "O que foi enviado a um projeto, por quem, e como foi a instalação.",
  Conta: "Plano e uso, chaves de API, entrada no painel, atividade.",
  Cluster:
    "Para os operadores do serviço: máquinas, contas, imagens, órfãos, chaves mestras e os próprios operadores. Só com um token de operador; uma chave ou uma sessão não serve.",
  Serviço: "O que o serviço diz de si a qualquer um.",
};

/** Markdown. */
export const operationTexts: { readonly [Name in OperationName]?: string } = {
  listProjects:
    "Os projetos da conta, do mais velho ao mais novo: todos, ou uma página deles com `limit` ou `cursor`.",
  getProject: "Um projeto que não existe e um projeto de outra conta respondem o mesmo: `not_found`.",
  createProject:
    "O código vai num .zip, no campo `file`. A configuração vem do `svc.json` dentro do .zip ou dos campos do formulário; um campo do formulário vence o do `svc.json`. A resposta chega quando o .zip foi guardado e conferido; a instalação segue, e o estado a acompanha.",
  uploadCode:
    "Troca os arquivos que vieram do envio anterior e mantém o que o próprio projeto gravou. Um projeto no ar continua no ar durante a instalação e volta sozinho com o código novo. Enquanto um início, uma parada ou um reinício está em andamento, a resposta é `project_busy`.",
  updateProject:
    "`name` e `description` valem na hora; os outros campos, no próximo início, e `isRestartRequired` diz se algo espera por ele. A resposta mostra os valores novos. Enquanto um início, uma parada ou um reinício está em andamento, a resposta é `project_busy`.",
  deleteProject: "Para o projeto e apaga arquivos e variáveis.",
  startProject:
    "Aceito, o projeto sobe em seguida. Iniciar um projeto que já está no ar, ou subindo, não muda nada; o que espera para voltar de uma queda volta na hora; enquanto ele ainda está parando, a resposta é `project_busy`. Zera `consecutiveCrashes`.",
  stopProject:
    "Passa à frente de um início ou reinício em andamento. Parar um projeto parado não muda nada. Vale também numa conta suspensa.",
  restartProject:
    "Um projeto que não está no ar é iniciado. Aplica as mudanças de configuração que esperam. Enquanto um início, uma parada ou outro reinício está em andamento, a resposta é `project_busy`.",
  streamLogs:
    "Server-sent events: primeiro as últimas linhas, depois as novas assim que chegam. A cada 15 s vem um comentário (`: ping`). Com `follow=false` ou `Accept: application/json`, um documento JSON com o que há, de onde se volta às linhas mais velhas com `before`. Os logs continuam legíveis com o projeto parado.",
  getMetrics: "Quanto mais longe no passado, mais largos os intervalos. Guardado por 30 dias.",
  listVariables: "Os valores vêm abertos: por isso a permissão é de escrita no nível Leitura e escrita.",
  setVariables:
    "Valem no próximo início; enquanto um início, uma parada ou um reinício está em andamento, a resposta é `project_busy`. Nomes usam letras, números e `_`, sem número no começo, até 256 caracteres; `PORT`, `HOST` e `SVC_*` são do serviço. Nomes e valores somam no máximo 32 KB.",
  changeVariables: "Como PUT, mas só muda o que vem: um valor define, null remove.",
  getAccount: "Plano, o que ele dá, o que já se usa e as janelas de requisições.",
  listActivity: "Quem fez o quê, com qual chave, de onde, e os campos antes e depois.",
  listProjectEvents: "Envios, inícios, paradas e quedas, cada um com sua causa.",
  listKeys: "Com os primeiros caracteres de cada chave e o último uso.",
  createKey: "No máximo 10 chaves por conta. Pede a senha da conta de novo.",
  revokeKey: "Vale na próxima requisição; streams de log abertos com ela fecham em até 20 segundos.",
  signUp: "Pode estar aberto, só por convite ou fechado: o operador escolhe.",
  signIn: "A sessão vem num cookie HttpOnly.",
  signInTwoFactor: "Segue um POST /sign-in que respondeu `isTwoFactorRequired: true`.",
  getSession: "Quem entrou e em qual conta.",
  signOut: "Encerra a sessão desta requisição.",
  listSessions: "As sessões que ainda valem.",
  endSession: "A sessão deixa de valer na próxima requisição.",
  requestPasswordReset: "Não diz se o e-mail existe.",
  resetPassword: "Encerra todas as sessões e revoga todas as chaves da conta.",
  changePassword: "Esta sessão continua.",
  beginTwoFactor: "Mostra o segredo e os códigos de recuperação; só vale depois de confirmada com um código.",
  confirmTwoFactor: "A partir daqui, entrar pede um código.",
  endTwoFactor: "Pede a senha.",
  renewRecoveryCodes: "Os códigos antigos deixam de valer.",
  notMe:
    "Para quando alguém entrou sem ser você. A senha também deixa de valer: a próxima vem por um link de POST /password/forgot.",
  notMeByLink:
    "Para quem não consegue mais entrar: o aviso de entrada traz um link que faz o mesmo que POST /account/not-me.",
  getHealth: "Sem conta nem chave.",
  getOpenApi: "Gerado da mesma tabela que faz as rotas.",
  getDocs: "Uma página só, que funciona sem JavaScript e não pede nada a outros servidores.",
  getSvcSchema: 'Ponha `"$schema"` com este endereço no svc.json e o editor ajuda a preenchê-lo.',
};
