/** What stands around every page of those who are signed in: menu, search, account, and the state of the connection. */

import { Link, Outlet } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useSession } from "../../api/session.ts";
import { BellIcon, HelpIcon, HomeIcon, SearchIcon, ServerIcon, UserIcon } from "../../design/icons/icons.tsx";
import { Logo } from "../../design/logo.tsx";
import { frameTexts } from "../../texts/frame.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Kbd } from "../../ui/marks/kbd.tsx";
import { VisuallyHidden } from "../../ui/marks/visually-hidden.tsx";
import { Toasts } from "../../ui/overlays/toasts.tsx";
import { ConfirmSession } from "../confirm-session.tsx";
import { Lazily } from "../lazily.tsx";
import { isMac, useShortcuts } from "../shortcuts/use-shortcuts.ts";
import { DropAnywhere } from "../upload/drop-anywhere.tsx";
import { AccountBanner } from "./account-banner.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { useLive } from "../../live/live-store.ts";
import { useLiveStream } from "../../live/use-live-stream.ts";
import styles from "./frame.module.css";
import { NewBuildNotice } from "./new-build-notice.tsx";
import { StreamState } from "./stream-state.tsx";

const loadGoTo = async () => ({ default: (await import("../palette/go-to.tsx")).GoTo });
const GoTo = lazy(loadGoTo);
const SignInAgain = lazy(async () => ({ default: (await import("./sign-in-again.tsx")).SignInAgain }));
const ShortcutsDialog = lazy(async () => ({
  default: (await import("../shortcuts/shortcuts-dialog.tsx")).ShortcutsDialog,
}));

export function Frame() {
  const texts = useTexts(frameTexts);
  const [overlay, setOverlay] = useState<"palette" | "shortcuts" | null>(null);
  const close = () => setOverlay(null);
  const [typedAhead, setTypedAhead] = useState("");
  const onPalette = () => {
    setTypedAhead("");
    setOverlay("palette");
  };
  const onShortcuts = () => setOverlay("shortcuts");
  const signInAgain = useLiveStream();
  useShortcuts({
    onPalette,
    isPaletteAsked: overlay === "palette",
    onTypedAhead: (character) => setTypedAhead((before) => before + character),
    onList: onShortcuts,
  });
  return (
    <>
      {signInAgain.isNeeded && (
        <Suspense>
          <SignInAgain onSignedIn={signInAgain.onSignedIn} onLeave={signInAgain.onLeave} />
        </Suspense>
      )}
      <div className={styles.frame} hidden={signInAgain.isNeeded}>
        <a href="#content" className={styles.skip}>
          {texts.skip}
        </a>
        <header className={styles.top}>
          <Link to="/" className={styles.logo} aria-label={`Tijolo: ${texts.projects}`}>
            <Logo size={24} />
            <span className={styles.name}>Tijolo</span>
          </Link>
          <StreamState />
          <div className={styles.topEnd}>
            <GoToButton onOpen={onPalette} />
            <AccountMenu />
          </div>
        </header>
        <MainMenu />
        <main id="content" tabIndex={-1} className={styles.content}>
          <AccountBanner />
          <NewBuildNotice />
          <Outlet />
        </main>
        <Lazily key={overlay} onMissing={close}>
          {overlay === "palette" && (
            <GoTo typedAhead={typedAhead} onClose={close} onShortcuts={onShortcuts} />
          )}
          {overlay === "shortcuts" && <ShortcutsDialog onClose={close} />}
        </Lazily>
        <ConfirmSession />
        <DropAnywhere />
        <Toasts closeWord={texts.close} />
      </div>
    </>
  );
}

function GoToButton({ onOpen }: { onOpen: () => void }) {
  const texts = useTexts(frameTexts);
  const prepare = () => void loadGoTo();
  return (
    <Button
      className={styles.goTo}
      icon={<SearchIcon />}
      aria-haspopup="dialog"
      aria-keyshortcuts={isMac ? "Meta+K" : "Control+K"}
      onClick={onOpen}
      onPointerEnter={prepare}
      onFocus={prepare}
    >
      <span className={styles.goToWords}>
        <span>{texts.goTo}</span> <Kbd>{isMac ? "⌘ K" : "Ctrl K"}</Kbd>
      </span>
    </Button>
  );
}

/** A column at the left; on a phone a bar below, in reach of the thumb. */
function MainMenu() {
  const texts = useTexts(frameTexts);
  const isOperator = useSession()?.person.operatorRole != null;
  const items = [
    { to: "/", icon: HomeIcon, word: texts.projects },
    { to: "/notices", icon: BellIcon, word: texts.notices },
    { to: "/account", icon: UserIcon, word: texts.account },
    ...(isOperator ? [{ to: "/cluster", icon: ServerIcon, word: texts.cluster } as const] : []),
    { to: "/help", icon: HelpIcon, word: texts.help },
  ] as const;
  return (
    <nav aria-label={texts.mainMenu} className={styles.menu}>
      {items.map(({ to, icon: Icon, word }) => (
        <Link
          key={to}
          to={to}
          className={styles.item}
          activeOptions={{ exact: to === "/" }}
          activeProps={{ className: styles.active }}
        >
          <Icon size={18} />
          <span>{word}</span>
          {to === "/notices" && <UnreadCount />}
        </Link>
      ))}
    </nav>
  );
}

/** The number of unread notices, beside the word of their page. */
function UnreadCount() {
  const texts = useTexts(frameTexts);
  const unread = useLive((state) => state.unread) ?? 0;
  if (unread === 0) return null;
  return (
    <span className={styles.count}>
      <span aria-hidden="true">{unread > 99 ? "99+" : unread}</span>
      <VisuallyHidden>{texts.unread(unread)}</VisuallyHidden>
    </span>
  );
}
