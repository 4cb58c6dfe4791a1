/** What everybody in the account should know before anything else: it is suspended, or its plan ends. */

import { day } from "../../formats/formats.ts";
import { useLive } from "../../live/live-store.ts";
import { accountPageTexts } from "../../texts/account/account.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Banner } from "../../ui/layout/banner.tsx";
import styles from "./frame.module.css";

export function AccountBanner() {
  const texts = useTexts(accountPageTexts);
  const account = useLive((state) => state.account);
  if (account === null || (account.suspendedAt === null && account.betaEndsAt === null)) return null;
  const { suspendedAt, stopsAt, betaEndsAt } = account;
  return (
    <div className={styles.banners}>
      {suspendedAt !== null && (
        <Banner role="status" tone="bad" title={texts.suspended(day(suspendedAt))}>
          {stopsAt !== null && <p>{texts.stopsAt(day(stopsAt))}</p>}
        </Banner>
      )}
      {betaEndsAt !== null && <Banner role="status" tone="warn" title={texts.betaEnds(day(betaEndsAt))} />}
    </div>
  );
}
