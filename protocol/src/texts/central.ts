/** The texts that central sends to people, beside those of the contract's own tables. */

export { domainErrorMessage } from "./domain-error.ts";
export { orderFaultMessage } from "./order-fault.ts";
export { domainRefusals } from "./domain-refusals.ts";
export { inputProblems } from "./input-problems.ts";
export { logFileTexts } from "./log-file.ts";
export { mailSubjects, mailTexts, type MailParagraph } from "./mail.ts";
export { anonymousNoticeText, noticeText, type NoticeText } from "./notice.ts";
export { docsPageTexts } from "./pt/docs-page.ts";
export { panelPages } from "./panel-pages.ts";
export { refusalDetails } from "./refusal-details.ts";
export { requestDetails } from "./request-details.ts";
export { settingsDetails } from "./settings-details.ts";
export { pageDocument, type PageText } from "./site-page-document.ts";
export { sitePages } from "./site-pages.ts";
export { uploadDetails } from "./upload-details.ts";
