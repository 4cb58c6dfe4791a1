/** Says when what is on the screen may be old, and since when. */

import { useLive } from "../../live/live-store.ts";
import { clockTime } from "../../formats/formats.ts";
import { useTexts, inBoth } from "../../texts/in-both.ts";
import { WifiOffIcon } from "../../design/icons/icons.tsx";
import styles from "./stream-state.module.css";

const words = inBoth(
  {
    stale: (time: string) => `Reconectando; dados de ${time}`,
    offline: (time: string) => `Sem internet. Dados de ${time}`,
    none: "Reconectando",
  },
  {
    stale: (time) => `Reconnecting; data of ${time}`,
    offline: (time) => `Offline. Data of ${time}`,
    none: "Reconnecting",
  },
);

export function StreamState() {
  const texts = useTexts(words);
  const isStale = useLive(({ connection }) => connection === "stale");
  const heardAt = useLive((state) => (state.connection === "stale" ? state.heardAt : null));
  return (
    <span role="status" className={styles.state}>
      {isStale && (
        <>
          <WifiOffIcon size={16} />
          {heardAt === null
            ? texts.none
            : navigator.onLine
              ? texts.stale(clockTime(heardAt))
              : texts.offline(clockTime(heardAt))}
        </>
      )}
    </span>
  );
}
