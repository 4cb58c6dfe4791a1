/**
 * The lists against names as they are asked for: those that people would take for another's, and ordinary
 * ones of projects.
 */

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isReservedName } from "./resemblance.ts";

const refused: Record<string, string> = {
  companies: `petrobras petr0bras petrobras-vagas coca-cola c0ca-cola cocacola coca-cola-promocao nestle n3stle nestle-premios nestlebrasil
    toyota t0yota toyota-brasil tesla t3sla tesla-app nvidia nvldia nvidia-suporte sony s0ny sony-store sonyonline ambev eletrobras
    embraer jbs-portal unilever havaianas volkswagen honda-consorcio hyundai bmw mercedes-benz ferrari rolex rayban louis-vuitton gucci
    mcdonalds mc-donalds burger-king burgerking-cupom carrefour atacadao-cartao havan drogasil droga-raia walmart ikea temu enjoei motorola
    xiaomi huawei asus lenovo dell dell-suporte intel-suporte panasonic philips-cupom boticario avon-login`,
  "what is paid by bill or card": `enel enel-fatura cemig copel celesc cpfl cpfl-2via sabesp sabesp-boleto copasa sanepar neoenergia embratel
    vodafone telefonica unionpay dinersclub diners-club ourocard sodexo-cartao pluxee sem-parar semparar-fatura unimed unimed-boleto
    hapvida amil porto-seguro-cartao mapfre`,
  "banks and fintechs": `bnpparibas bnp-paribas bancomaster banco-pine bancopine bancobmg banco-bmg bancobv banco-do-nordeste brb-conta banco-brb
    crefisa creditagricole societe-generale rabobank ing-bank deutsche-bank mizuho-bank lloydsbank natwest asaas iugu pagarme pagar-me
    gerencianet remessaonline remessa-online meliuz viacredi ailos bitso bybit kucoin novadax trezor opensea uniswap alipay venmo cashapp
    cash-app chimebank charles-schwab etoro robinhood-login warren-investimentos empiricus-login tricard ame-digital amedigital cartao-zara`,
  "on the way and on screens": `avianca voepass voegol voeazul airfrance air-france lufthansa emirates-login expedia 123milhas maxmilhas
    trivago blablacar jadlog loggi sedex melhor-envio jtexpress ubereats uber-eats zedelivery ze-delivery aiqfome waze cabify reddit tumblr
    skype trello-login canva crunchyroll globoplay espn sbt cnn-login bet365 betano betano-bonus sportingbet pixbet midjourney anthropic
    claude-login gemini-login copilot-login kaspersky valorant freefire free-fire garena vercel heroku hubspot udemy duolingo`,
  courts: `tjsp tj-sp tjsp-consulta t-j-s-p tjrj tj-rj tjmg tjrs tjdft tjba tjpr tjsc tjgo tjpe tjce tjpa tjma tjpb tjrn tjal tjse tjpi tjmt tjms
    tjro tjac tjam tjap tjrr tjto trf1 trf-1 trf2 trf3 trf4 trf5 trf6 trf trt trt2 trt-2 trt15 trt24 tre tre-sp tresp tremg trerj stf stj tst
    tse stm tcu tce-sp tcesp cnj cjf csjt cnmp mpsp mp-sp mprj mpt mpf pje esaj projudi justicadotrabalho justica-do-trabalho`,
  "state and police": `planalto planalto-gov p1analto palacio-do-planalto presidencia presidencia-da-republica presidenc1a senado senado-federal
    camara camara-municipal camara-dos-deputados assembleia-legislativa alesp alerj almg bombeiros b0mbeiros corpo-de-bombeiros cbmerj
    policia-civil policiacivil policia-militar policia-federal policiapenal pmerj pm-sp pmsp guarda-municipal delegacia-virtual
    receita receita-federal rece1ta-federal detran detran-rj detransp ciretran prefeitura prefeituras prefeiturasp prefeitura-rio
    subprefeitura ministerio ministerio-da-saude ministeriodajustica forcas-armadas iptu iptu-2026 crlv dpvat antecedentes-criminais
    casa-civil embrapa fiocruz inpi anpd anp antaq cnpq coaf unesco usp usp-portal unicamp ufrj ufmg loterias-online lotofacil mega-sena
    juntacomercial jucesp pe-de-meia cadunico-login cad-unico minha-casa-minha-vida`,
};

const allowed = `revolution-gym open-search super-simples valor-anterior drogas-livia tele-cinema next-auth-demo jeito-novo kim-bot deli-sabores
  meu-bot bot-da-ana loja-da-ana padaria-sol tremdoido trem-bala trema trees tres-irmaos trevo treino-diario sonhos
  sonho-meu sonya sonyara sonoridade estampa-nova petshop-do-joao petrolina pet-rock cocada-da-vo cola-escolar nestor ninho-nest
  nested-lists domestico toy-story-bot toque-final tess tessalia invejada envidia video-aula senador senadora camarao camara-fria
  camara-escura presidente-prudente residencia bombeiro bombeamento planalto-central-moveis auto-planalto policlinica-sol receita-da-ana
  receitas detalhe tijolinho tjalling ministerio-de-louvor ministerio-jovem universo-geek uspalhata fazenda-feliz valente vale-do-silicio
  vale-presente fordlandia oxford-curso marisqueira avontade avonlea sapato-novo sapo sapiens honduras handara intelecto inteligencia
  intelligence-lab delicia delta-quadrant dellas asas-do-vento acerto acerola enelson pepsinogenio claudete claudio-fotos gemini-horoscopo
  geminiano copiloto hermes-mitologia shell-script shellbot docker-compose-demo trello-clone vercel-teste slackline notional zarabatana
  zara-tustra zaragoza unido unidade-3 movidao localizador se-movimentar expedicao expediente viagem-barata blog-do-pedro estudos-cnn
  ufc-resultados calendario-ufmg tcc-da-usp metro-de-sp oficina-mecanica clube-do-livro clima-hoje controle-financeiro minha-agenda todo-list
  weather-app chat-server task-manager blue-sky-travel union-jack cash-flow free-style mega-bot sena-madureira loto-da-familia
  burger-do-ze burgers-artesanais melhor-do-bairro sem-parafuso ponto-frio-na-barriga pao-de-forma amelie amendoim ameixa
  jadson pine-forest pinheiro master-chef mastermind inglaterra ing-les brbaro robin-hood-jogo warrens
  cortes-de-cabelo como-se-faz porto-alegre porto-seguro-turismo hiper-ofertas light-mode bling-bling`;

for (const [what, names] of Object.entries(refused)) {
  suite(`${what} are reserved`, () => {
    for (const name of names.split(/\s+/)) test(name, () => assert.ok(isReservedName(name)));
  });
}

suite("ordinary names of projects are free", () => {
  for (const name of allowed.split(/\s+/)) test(name, () => assert.ok(!isReservedName(name)));
});
