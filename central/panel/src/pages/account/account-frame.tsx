/** The pages of the account, side by side. */

import { Link, Outlet } from "@tanstack/react-router";
import { accountFrameTexts } from "../../texts/account/account-frame.ts";
import { useTexts } from "../../texts/in-both.ts";
import { PageTabs } from "../../ui/layout/page-tabs.tsx";
import styles from "./account-frame.module.css";

export function AccountFrame() {
  const texts = useTexts(accountFrameTexts);
  return (
    <div className={styles.frame}>
      <PageTabs label={texts.label}>
        <Link to="/account" activeOptions={{ exact: true }}>
          {texts.usage}
        </Link>
        <Link to="/account/keys">{texts.keys}</Link>
        <Link to="/account/security">{texts.security}</Link>
        <Link to="/account/activity">{texts.activity}</Link>
        <Link to="/account/preferences">{texts.preferences}</Link>
      </PageTabs>
      <Outlet />
    </div>
  );
}
