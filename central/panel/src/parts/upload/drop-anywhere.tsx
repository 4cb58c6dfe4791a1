/** Takes a folder or a .zip that is dropped anywhere in the panel, and says so while it is held above it. */

import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { UploadIcon } from "../../design/icons/icons.tsx";
import { dropTexts } from "../../texts/drop.ts";
import { textsNow, useTexts } from "../../texts/in-both.ts";
import { tell } from "../../ui/overlays/toast-store.ts";
import styles from "./drop-anywhere.module.css";
import { giveDrop } from "./drop-store.ts";
import { sourceOfDrop } from "./upload-source.ts";

export function DropAnywhere() {
  const texts = useTexts(dropTexts);
  const navigate = useNavigate();
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const listen = (type: string, listener: (event: DragEvent) => void) =>
      addEventListener(type, (event) => listener(event as DragEvent), { signal: stop.signal });
    listen("dragover", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setHeld(true);
    });
    // Leaving the window, and not only one element for another.
    listen("dragleave", (event) => event.relatedTarget === null && setHeld(false));
    listen("drop", (event) => {
      setHeld(false);
      if (!hasFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      const source = sourceOfDrop(event.dataTransfer);
      if (source === null) return tell({ tone: "warn", text: textsNow(dropTexts).unreadableDrop });
      if (!giveDrop(source)) void navigate({ to: "/new" });
    });
    return () => stop.abort();
  }, [navigate]);
  if (!isHeld) return null;
  return (
    <div className={styles.veil}>
      <p className={styles.words}>
        <UploadIcon size={24} /> {texts.letGo}
      </p>
    </div>
  );
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") === true;
}
