/** The pages of those who run the cluster, side by side; without a second factor, what is still to do. */

import { Link, Outlet } from "@tanstack/react-router";
import { useSession } from "../../api/session.ts";
import { Page } from "../../parts/page.tsx";
import { clusterTexts } from "../../texts/cluster/cluster.ts";
import { useTexts } from "../../texts/in-both.ts";
import { confirmSessionTexts } from "../../texts/account/confirm-session.ts";
import { usePasskeyConfirmation } from "../../parts/entry/use-passkey-confirmation.ts";
import { KeyIcon } from "../../design/icons/icons.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { Button, buttonClass } from "../../ui/actions/button.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { PageTabs } from "../../ui/layout/page-tabs.tsx";
import styles from "./cluster-frame.module.css";

export function ClusterFrame() {
  const texts = useTexts(clusterTexts);
  const signedIn = useSession();
  const person = signedIn?.person;
  if (person?.operatorRole == null)
    return (
      <Page title={texts.notOperator}>
        <Empty sentence={texts.notOperatorIntro} picture="nothing" />
      </Page>
    );
  if (!person.hasTwoFactor && signedIn?.session.hasPasskey !== true) return <NeedsTwoFactor />;
  return (
    <div className={styles.frame}>
      <PageTabs label={texts.label}>
        <Link to="/cluster" activeOptions={{ exact: true }}>
          {texts.hosts}
        </Link>
        <Link to="/cluster/accounts">{texts.accounts}</Link>
        <Link to="/cluster/images">{texts.images}</Link>
        <Link to="/cluster/operators">{texts.operators}</Link>
        <Link to="/cluster/secrets">{texts.secrets}</Link>
        <Link to="/cluster/orphans">{texts.orphans}</Link>
        <Link to="/cluster/announcements">{texts.announcements}</Link>
        <Link to="/cluster/audit">{texts.audit}</Link>
      </PageTabs>
      <Outlet />
    </div>
  );
}

function NeedsTwoFactor() {
  const texts = useTexts(clusterTexts);
  const confirmTexts = useTexts(confirmSessionTexts);
  // Whoever has a passkey needs nothing else: the session read anew opens the area.
  const passkey = usePasskeyConfirmation(() => {});
  return (
    <Page title={texts.needsTwoFactor}>
      <Empty
        sentence={texts.needsTwoFactorIntro}
        action={
          passkey.isPossible ? (
            <Button variant="primary" icon={<KeyIcon />} isBusy={passkey.isRunning} onClick={passkey.ask}>
              {confirmTexts.usePasskey}
            </Button>
          ) : (
            <Link to="/account/security" className={buttonClass({ variant: "primary" })}>
              {texts.toSecurity}
            </Link>
          )
        }
      >
        {passkey.isPossible ? texts.passkeyCounts : texts.needsTwoFactorSteps}
        {passkey.hasFailed && <Banner tone="bad" role="alert" title={texts.passkeyFailed} />}
      </Empty>
    </Page>
  );
}
