/** Texts of the page that central shows until the panel is built. */

export const panelPages = {
  preparing: {
    language: "pt-BR",
    title: "O painel está sendo preparado",
    text: "Leva alguns segundos, e esta página abre sozinha.",
    forOperators: "Se demorar mais de um minuto, o motivo está no terminal do npm start.",
  },
};
