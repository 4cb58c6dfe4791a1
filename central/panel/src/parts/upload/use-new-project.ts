/** The state of a new project, from what was chosen until it is sent; and again, when it did not come up. */

import { useCallback, useEffect, useMemo, useState } from "react";
import { refresh } from "../../api/use-read.ts";
import { newProjectTexts } from "../../texts/new-project.ts";
import { uploadTexts } from "../../texts/upload.ts";
import { useTexts } from "../../texts/in-both.ts";
import { useLeaveGuard } from "../leave-guard.ts";
import { useUnsaved } from "../../api/unsaved.ts";
import { offerOf } from "./dotenv.ts";
import type { DotenvChoice } from "./dotenv-offer.tsx";
import {
  changed,
  configOfDraft,
  draftOf,
  fieldsOf,
  problemsOf,
  type DraftProblem,
  type ProjectDraft,
} from "./project-draft.ts";
import { sentenceOf } from "./pack-failure.tsx";
import { problemText } from "./settings-card.tsx";
import { usePackage, type Chosen, type Package } from "./use-package.ts";
import { mostBytesOf, useRoom } from "./use-room.ts";
import { useUpload, type Project, type Upload } from "./use-upload.ts";

/** A project that was sent, and how it goes on from there. */
export interface SentProject {
  project: Project;
  beganAt: number;
  /** Variables that it gets before the page starts it; null: it starts by itself. */
  variables: Record<string, string> | null;
}

export function useNewProject({ inspection, reader }: Extract<Chosen, { kind: "read" }>) {
  const room = useRoom();
  const [draft, setDraft] = useState(() => draftOf(inspection));
  const [dotenv, setDotenv] = useState<DotenvChoice>({ asVariables: false, asFile: false });
  const [sent, setSent] = useState<SentProject | null>(null);
  const [isFollowed, setFollowed] = useState(false);
  const [beganAt, setBeganAt] = useState(0);
  const offer = useMemo(() => (inspection.dotenv === null ? null : offerOf(inspection.dotenv)), [inspection]);
  const variables = dotenv.asVariables && offer !== null ? offer.variables : null;
  // A new project can be sent with its start; new code of one that stands still, and variables, cannot.
  const startsHere = variables !== null || sent !== null;
  const mostBytes = mostBytesOf(room);
  const pack = usePackage(reader, { config: configOfDraft(draft), withDotenv: dotenv.asFile, mostBytes });
  const upload = useUpload((project) => {
    void refresh("listProjects", "getAccount", "getProject", "listVersions");
    setSent({ project, beganAt, variables: startsHere ? (variables ?? {}) : null });
    setFollowed(true);
  });
  const { send: sendBlob, clear } = upload;
  // A second upload goes to the project that the first one made.
  const problems = problemsOf(draft, room).filter(({ code }) => sent === null || code !== "noProjectLeft");
  const broken =
    inspection.svcJson !== null && "problem" in inspection.svcJson ? inspection.svcJson.problem : null;
  const why = useWhyNot({ broken, problems, pack, upload });
  const fields = {
    ...fieldsOf(draft, inspection, sent !== null),
    ...(startsHere ? {} : { start: "true" }),
  };
  const sending = useWhenPacked(pack, (blob) => {
    setBeganAt(Date.now());
    sendBlob({ projectId: sent?.project.id ?? null, fields, blob });
  });
  const change = useCallback(
    (changes: Partial<ProjectDraft>) => {
      setDraft((now) => changed(now, changes));
      clear();
    },
    [clear],
  );
  useUnsaved(sent === null);
  useLeaveGuard(upload.isUnderWay, "upload");
  return {
    room,
    mostBytes,
    draft,
    change,
    offer,
    dotenv,
    setDotenv,
    pack,
    upload,
    problems,
    broken,
    why,
    isWaiting: sending.isWaiting,
    send: () => {
      if (why === undefined) sending.ask();
    },
    sent: isFollowed ? sent : null,
    again: () => setFollowed(false),
  };
}

/** Sends what is packed; asked for while it is being packed, as soon as that is done. */
export function useWhenPacked(pack: Package, send: (blob: Blob) => void) {
  const [isWaiting, setWaiting] = useState(false);
  useEffect(() => {
    if (!isWaiting || pack.kind === "packing") return;
    setWaiting(false);
    if (pack.kind === "packed") send(pack.packed.blob);
  }, [isWaiting, pack, send]);
  return { isWaiting, ask: () => setWaiting(true) };
}

/** The first reason why the button cannot act. */
function useWhyNot(state: {
  broken: string | null;
  problems: readonly DraftProblem[];
  pack: Package;
  upload: Upload;
}): string | undefined {
  const texts = useTexts(newProjectTexts);
  const words = useTexts(uploadTexts);
  const [first] = state.problems;
  if (state.broken !== null) return texts.svcJsonBroken;
  if (first !== undefined) return problemText(first, texts);
  if (state.pack.kind === "unusable") return sentenceOf(state.pack.problem, words);
  return state.upload.isUnderWay ? words.underWay : undefined;
}
