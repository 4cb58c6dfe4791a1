/** Reads and packs what was chosen, beside the page; what is shown of it follows the settings. */

import { useEffect, useState } from "react";
import type { PackProblem, Inspection, Packed, PackOptions } from "./worker/messages.ts";
import { PackError } from "./worker/pack-error.ts";
import { UploadReader } from "./upload-reader.ts";
import type { UploadSource } from "./upload-source.ts";

/** What is known of the chosen folder or archive. */
export type Chosen =
  | { kind: "reading"; fileCount: number }
  | { kind: "read"; inspection: Inspection; reader: UploadReader }
  | { kind: "unusable"; problem: PackProblem | Error };

/** What is sent. */
export type Package =
  | { kind: "packing"; doneBytes: number; totalBytes: number }
  | { kind: "packed"; packed: Packed }
  | { kind: "unusable"; problem: PackProblem | Error };

/** Milliseconds for which the settings stay as they are before it is packed by them. */
const calmMs = 300;

export function useChosen(source: UploadSource): Chosen {
  const [chosen, setChosen] = useState<Chosen>({ kind: "reading", fileCount: 0 });
  useEffect(() => {
    const reader = new UploadReader(source);
    let isCurrent = true;
    setChosen({ kind: "reading", fileCount: 0 });
    reader
      .inspect((fileCount) => {
        if (isCurrent) setChosen({ kind: "reading", fileCount });
      })
      .then(
        (inspection) => isCurrent && setChosen({ kind: "read", inspection, reader }),
        (cause: unknown) => isCurrent && setChosen({ kind: "unusable", problem: problemOf(cause) }),
      );
    return () => {
      isCurrent = false;
      reader[Symbol.dispose]();
    };
  }, [source]);
  return chosen;
}

/** Packs once the options stay as they are for a moment. */
export function usePackage(reader: UploadReader, options: PackOptions): Package {
  const [state, setState] = useState<Package>({ kind: "packing", doneBytes: 0, totalBytes: 0 });
  const { language, entry, command, root } = options.config;
  const key = JSON.stringify([options.withDotenv, options.mostBytes, language, entry, command, root]);
  useEffect(() => {
    let isCurrent = true;
    setState({ kind: "packing", doneBytes: 0, totalBytes: 0 });
    const timer = setTimeout(() => {
      const onProgress = (doneBytes: number, totalBytes: number) => {
        if (isCurrent) setState({ kind: "packing", doneBytes, totalBytes });
      };
      reader.pack(options, onProgress).then(
        (packed) => isCurrent && setState({ kind: "packed", packed }),
        (cause: unknown) => isCurrent && setState({ kind: "unusable", problem: problemOf(cause) }),
      );
    }, calmMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
    // The key is all of the options that changes what is packed.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [reader, key]);
  return state;
}

function problemOf(cause: unknown): PackProblem | Error {
  if (cause instanceof PackError) return cause.problem;
  return cause instanceof Error ? cause : new Error(String(cause));
}
