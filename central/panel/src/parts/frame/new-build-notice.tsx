/** Tells of a newer panel, and takes it at the next change of page unless something would be lost. */

import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { hasNewBuild, lookForNewBuild, useHasNewBuild } from "../../api/new-build.ts";
import { useLive } from "../../live/live-store.ts";
import { useTexts } from "../../texts/in-both.ts";
import { newBuildTexts } from "../../texts/new-build.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { hasUnsaved } from "../../api/unsaved.ts";
import styles from "./frame.module.css";

export function NewBuildNotice() {
  const texts = useTexts(newBuildTexts);
  const isThere = useHasNewBuild();
  useLookAtReconnect();
  useTakingAtNavigation();
  return (
    <div role="status" className={styles.notice}>
      {isThere && (
        <Banner
          tone="info"
          title={texts.title}
          actions={<Button onClick={() => location.reload()}>{texts.update}</Button>}
        />
      )}
    </div>
  );
}

/** The first snapshot came with this page; each later one may be of an updated central. */
function useLookAtReconnect(): void {
  const snapshots = useLive((state) => state.snapshots);
  const seen = useRef(0);
  useEffect(() => {
    if (snapshots === 0 || snapshots === seen.current) return;
    const isFirst = seen.current === 0;
    seen.current = snapshots;
    if (!isFirst) void lookForNewBuild();
  }, [snapshots]);
}

/** The next page is loaded from the server in the place of being drawn by this build. */
function useTakingAtNavigation(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onBeforeNavigate", ({ fromLocation, toLocation, pathChanged }) => {
        if (fromLocation !== undefined && pathChanged && hasNewBuild() && !hasUnsaved())
          location.assign(toLocation.publicHref);
      }),
    [router],
  );
}
