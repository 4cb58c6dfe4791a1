/** The place where a folder or a .zip is dropped or chosen. */

import { useRef, useState, type ChangeEvent } from "react";
import { FileArchiveIcon, FolderIcon } from "../../design/icons/icons.tsx";
import { uploadTexts } from "../../texts/upload.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import styles from "./choose-source.module.css";
import { sourceOfFiles, sourceOfFolderInput, type UploadSource } from "./upload-source.ts";

interface ChooseSourceProps {
  onSource(source: UploadSource): void;
  /** Where it stands inside something that has its own words. */
  isSmall?: boolean;
}

/** Makes an input choose a folder; the types of React do not know it. */
const folderInput = { webkitdirectory: "" };

export function ChooseSource({ onSource, isSmall = false }: ChooseSourceProps) {
  const texts = useTexts(uploadTexts);
  const folder = useRef<HTMLInputElement>(null);
  const archive = useRef<HTMLInputElement>(null);
  const [isEmpty, setEmpty] = useState(false);
  const take = (read: (files: FileList) => UploadSource | null) => (event: ChangeEvent<HTMLInputElement>) => {
    const { files } = event.currentTarget;
    const source = files === null ? null : read(files);
    setEmpty(source === null);
    if (source !== null) onSource(source);
  };
  return (
    <div className={isSmall ? styles.small : styles.zone}>
      <p className={styles.title}>{texts.dropHere}</p>
      <p className={styles.more}>{texts.dropHereMore}</p>
      <div className={styles.buttons}>
        <Button variant="primary" icon={<FolderIcon />} onClick={() => folder.current?.click()}>
          {texts.chooseFolder}
        </Button>
        <Button icon={<FileArchiveIcon />} onClick={() => archive.current?.click()}>
          {texts.chooseZip}
        </Button>
      </div>
      <input
        ref={folder}
        type="file"
        {...folderInput}
        multiple
        hidden
        aria-label={texts.chooseFolder}
        onChange={take(sourceOfFolderInput)}
      />
      <input
        ref={archive}
        type="file"
        accept=".zip,application/zip"
        hidden
        aria-label={texts.chooseZip}
        onChange={take((files) => sourceOfFiles([...files]))}
      />
      {isEmpty && (
        <Banner tone="warn" role="alert">
          {texts.emptyFolder}
        </Banner>
      )}
    </div>
  );
}
