import { mailTexts as en } from "./en/mail.ts";
import { mailTexts as pt } from "./pt/mail.ts";

export { mailSubjects, type MailParagraph } from "./pt/mail.ts";

export const mailTexts: Readonly<Record<"pt" | "en", typeof pt>> = { pt, en };
