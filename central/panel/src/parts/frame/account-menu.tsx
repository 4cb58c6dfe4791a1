/** Who is signed in, and the way out. The menu itself is loaded when it is about to be opened. */

import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useSession } from "../../api/session.ts";
import { SettingsIcon, SignOutIcon, UserIcon } from "../../design/icons/icons.tsx";
import { frameTexts } from "../../texts/frame.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { useSignOut } from "../sign-out.ts";
import styles from "./frame.module.css";

const Menu = lazy(async () => ({ default: (await import("../../ui/overlays/menu.tsx")).Menu }));

export function AccountMenu() {
  const texts = useTexts(frameTexts);
  const session = useSession();
  const leave = useSignOut();
  const [isWanted, setWanted] = useState(false);
  if (session === null) return null;
  const label = texts.accountMenu(session.person.name);
  const want = () => setWanted(true);
  const trigger = (
    <Button
      variant="quiet"
      icon={<UserIcon size={18} />}
      aria-label={label}
      className={styles.account}
      onPointerEnter={want}
      onFocus={want}
    >
      <span className={styles.person}>{session.person.name}</span>
    </Button>
  );
  if (!isWanted) return trigger;
  return (
    <Suspense fallback={trigger}>
      <Menu
        label={label}
        trigger={trigger}
        heading={session.person.email}
        items={[
          { key: "account", label: texts.account, icon: UserIcon, link: <Link to="/account" /> },
          {
            key: "preferences",
            label: texts.preferences,
            icon: SettingsIcon,
            link: <Link to="/account/preferences" />,
          },
          {
            key: "sign-out",
            label: texts.signOut,
            icon: SignOutIcon,
            onSelect: leave,
            isApart: true,
          },
        ]}
      />
    </Suspense>
  );
}
