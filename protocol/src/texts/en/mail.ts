import type { mailTexts as pt } from "../pt/mail.ts";

export const mailTexts: typeof pt = {
  passwordReset: () => [
    'Hello. Somebody asked to change your account\'s password. The link above, also as "tijolo password reset" with it in a terminal, works for 1 hour and only once; all sessions and API keys end with the change. If it was not you, ignore this message.',
  ],
  newSignIn: ({ place }) => [
    `Hello. Somebody signed in to your account from a place that we did not know: ${place}. If it was not you, open the link above, or give it to "tijolo not-me" in a terminal: it ends all sessions, revokes all API keys, and makes the present password stop working.`,
  ],
  notice: ({ title, message }) => [
    `${title}. ${message} See the notices with tijolo notices; choose those that come by mail with tijolo notices channels set.`,
  ],
};
