import type { mailTexts as pt } from "../pt/mail.ts";

export const mailTexts: typeof pt = {
  passwordReset: () => [
    'Hello. Somebody asked to change your account\'s password. The link above, also as "tijolo password reset" with it in a terminal, works for 1 hour and only once; all sessions, API keys and passkeys end with the change. If it was not you, ignore this message.',
  ],
  confirmSignUp: () => [
    'Hello. Somebody signed up with this e-mail. To create the account, open the link above, or give it to "tijolo confirm" in a terminal; it works for 24 hours and only once. If it was not you, ignore this message: no account is created.',
  ],
  alreadySignedUp: () => [
    "Hello. Somebody wanted to sign up with this e-mail, which has an account already. Sign in with your password; if you forgot it, ask for another by the link above. If it was not you, ignore this message: nothing changes.",
  ],
  newSignIn: ({ place }) => [
    `Hello. Somebody signed in to your account from a place that we did not know: ${place}. If it was not you, open the link above, or give it to "tijolo not-me" in a terminal: it ends all sessions, revokes all API keys, removes all passkeys, and makes the present password stop working.`,
  ],
  notice: ({ title, message }) => [
    `${title}. ${message} See the notices with tijolo notices; choose those that come by mail with tijolo notices channels set.`,
  ],
};
