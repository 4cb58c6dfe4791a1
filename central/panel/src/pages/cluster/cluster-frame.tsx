/** The pages of those who run the cluster, side by side; without a second factor, what is still to do. */

import { Link, Outlet } from "@tanstack/react-router";
import { useSession } from "../../api/session.ts";
import { Page } from "../../parts/page.tsx";
import { clusterTexts } from "../../texts/cluster.ts";
import { useTexts } from "../../texts/in-both.ts";
import { buttonClass } from "../../ui/actions/button.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { PageTabs } from "../../ui/layout/page-tabs.tsx";
import styles from "./cluster-frame.module.css";

export function ClusterFrame() {
  const texts = useTexts(clusterTexts);
  const person = useSession()?.person;
  if (person?.operatorRole == null)
    return (
      <Page title={texts.notOperator}>
        <Empty sentence={texts.notOperatorIntro} picture="nothing" />
      </Page>
    );
  if (!person.hasTwoFactor) return <NeedsTwoFactor />;
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
  return (
    <Page title={texts.needsTwoFactor}>
      <Empty
        sentence={texts.needsTwoFactorIntro}
        action={
          <Link to="/account/security" className={buttonClass({ variant: "primary" })}>
            {texts.toSecurity}
          </Link>
        }
      >
        {texts.needsTwoFactorSteps}
      </Empty>
    </Page>
  );
}
