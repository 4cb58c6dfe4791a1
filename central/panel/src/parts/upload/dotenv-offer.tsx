/** Offers a `.env` that was found as variables of the project. Its values are never shown, and not sent unasked. */

import { uploadTexts } from "../../texts/upload.ts";
import { useTexts } from "../../texts/in-both.ts";
import { TitledCard } from "../../ui/layout/card.tsx";
import { Checkbox } from "../../ui/fields/checkbox.tsx";
import type { DotenvOffer as Offer } from "./dotenv.ts";
import styles from "./package-card.module.css";
import type { Inspection } from "./worker/messages.ts";

export interface DotenvChoice {
  asVariables: boolean;
  asFile: boolean;
}

interface DotenvOfferProps {
  offer: Offer;
  inspection: Inspection;
  choice: DotenvChoice;
  onChoice(choice: DotenvChoice): void;
  /** For an update only the file is asked about. */
  isOfFileOnly?: boolean;
}

export function DotenvOffer({ offer, inspection, choice, onChoice, isOfFileOnly = false }: DotenvOfferProps) {
  const texts = useTexts(uploadTexts);
  const names = Object.keys(offer.variables);
  return (
    <TitledCard title={texts.dotenvTitle(names.length)} description={texts.dotenvText}>
      <div className={styles.body}>
        {!isOfFileOnly && names.length > 0 && (
          <Checkbox
            label={texts.dotenvAsVariables}
            hint={names.slice(0, 20).join(", ")}
            checked={choice.asVariables}
            onValue={(asVariables) => onChoice({ ...choice, asVariables })}
          />
        )}
        {inspection.kind === "archive" && <p className={styles.note}>{texts.dotenvInZip}</p>}
        {inspection.kind === "folder" && !inspection.isDotenvIgnored && (
          <Checkbox
            label={texts.dotenvAsFile}
            checked={choice.asFile}
            onValue={(asFile) => onChoice({ ...choice, asFile })}
          />
        )}
        {offer.refused.length > 0 && (
          <p className={styles.note}>{texts.dotenvRefused(offer.refused.join(", "))}</p>
        )}
        {offer.unreadable.length > 0 && (
          <p className={styles.note}>{texts.dotenvUnreadable(offer.unreadable.slice(0, 20).join(", "))}</p>
        )}
      </div>
    </TitledCard>
  );
}
