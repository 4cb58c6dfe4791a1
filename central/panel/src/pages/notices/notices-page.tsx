/** The account's notices, the newest first, and the channels that carry them elsewhere. */

import { useNavigate, useSearch } from "@tanstack/react-router";
import { useAction } from "../../api/use-action.ts";
import { useLive } from "../../live/live-store.ts";
import { Failure } from "../../parts/failure.tsx";
import { Page as PageHead } from "../../parts/page.tsx";
import { noticesTexts } from "../../texts/notices.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Radios } from "../../ui/fields/radios.tsx";
import { tell } from "../../ui/overlays/toast-store.ts";
import { ChannelsCard } from "./channels-card.tsx";
import { NoticeList } from "./notice-list.tsx";
import styles from "./notices-page.module.css";

export function Page() {
  const texts = useTexts(noticesTexts);
  const { unread: isUnreadOnly = false } = useSearch({ from: "/app/notices" });
  const navigate = useNavigate({ from: "/notices" });
  const unread = useLive((state) => state.unread);
  const readAll = useAction("readAllNotices", { refreshes: ["listNotices"] });
  const markAll = () =>
    void readAll.run(undefined, ({ read }) => tell({ tone: "ok", text: texts.allRead(read) }));
  return (
    <PageHead
      title={texts.title}
      intro={texts.intro}
      actions={
        <Button
          onClick={markAll}
          isBusy={readAll.isRunning}
          why={unread === 0 ? texts.allAreRead : undefined}
        >
          {texts.readAll}
        </Button>
      }
    >
      {readAll.error !== null && <Failure error={readAll.error} title={texts.readAll} onRetry={markAll} />}
      <div className={styles.filter}>
        <Radios
          isBar
          isLabelHidden
          label={texts.filter}
          value={isUnreadOnly ? "unread" : "all"}
          options={[
            { value: "all", label: texts.all },
            { value: "unread", label: texts.unreadOnly },
          ]}
          onValue={(value) =>
            void navigate({ search: value === "unread" ? { unread: true } : {}, replace: true })
          }
        />
        {unread !== null && <span className={styles.soft}>{texts.unreadCount(unread)}</span>}
      </div>
      <NoticeList key={String(isUnreadOnly)} isUnreadOnly={isUnreadOnly} />
      <ChannelsCard />
    </PageHead>
  );
}
