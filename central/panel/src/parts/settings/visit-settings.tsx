/** Shows what holds for the visits to a site: what is chosen is saved at once, what is typed by a button. */

import type { OperationAnswer } from "@tijolo/protocol/client";
import type { LiveProject } from "@tijolo/protocol/live";
import { useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { useRead } from "../../api/use-read.ts";
import { settingsTexts } from "../../texts/project/settings.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Radios } from "../../ui/fields/radios.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import { Failure } from "../failure.tsx";
import { Reading } from "../reading.tsx";
import { fieldOf } from "./setting-fields.tsx";
import { VisitFields } from "./visit-fields.tsx";

const deployModes = ["hold", "overlap"] as const;
const protocols = ["http1", "h2c"] as const;
const accessLogs = ["off", "short", "full"] as const;

type SiteSettings = OperationAnswer<"getSiteSettings">["siteSettings"];

export function VisitSettings({ project: { id, language } }: { project: LiveProject["project"] }) {
  const texts = useTexts(settingsTexts);
  const read = useRead("getSiteSettings", { id });
  const save = useAction("setSiteSettings", { refreshes: ["getSiteSettings"] });
  const [wanted, setWanted] = useState<SiteSettings | null>(null);
  const choose = async (settings: SiteSettings) => {
    setWanted(settings);
    if (!(await save.run({ id, body: settings }))) setWanted(null);
  };
  const refused = fieldOf(save.error);
  return (
    <TitledCard title={texts.visits} description={texts.aboutHint} isSplit>
      <Reading of={read} skeleton={<Skeleton height="6rem" />}>
        {({ siteSettings }) => {
          const now = wanted ?? siteSettings;
          return (
            <>
              <Switch
                label={texts.maintenance}
                hint={texts.maintenanceHint}
                checked={now.maintenance}
                onValue={(maintenance) => void choose({ ...now, maintenance })}
              />
              <Switch
                label={texts.hsts}
                hint={texts.hstsHint}
                checked={now.hsts}
                onValue={(hsts) => void choose({ ...now, hsts })}
              />
              <Switch
                label={texts.compression}
                hint={texts.compressionHint}
                checked={now.compression}
                onValue={(compression) => void choose({ ...now, compression })}
              />
              <Radios
                label={texts.accessLog}
                value={now.accessLog}
                options={accessLogs.map((value) => ({ value, ...texts.accessLogs[value] }))}
                onValue={(accessLog) => void choose({ ...now, accessLog })}
              />
              {language !== "static" && (
                <>
                  <Radios
                    label={texts.deploy}
                    value={now.deploy}
                    options={deployModes.map((value) => ({ value, ...texts.deployModes[value] }))}
                    onValue={(deploy) => void choose({ ...now, deploy })}
                  />
                  <Radios
                    label={texts.protocol}
                    value={now.protocol}
                    options={protocols.map((value) => ({ value, ...texts.protocols[value] }))}
                    onValue={(protocol) =>
                      void choose({ ...now, protocol, ...(protocol === "h2c" && { healthPath: null }) })
                    }
                  />
                  <VisitFields
                    settings={now}
                    isBusy={save.isRunning}
                    refused={refused}
                    onSave={(settings) => void choose(settings)}
                  />
                </>
              )}
            </>
          );
        }}
      </Reading>
      {save.error !== null && refused === null && <Failure error={save.error} />}
    </TitledCard>
  );
}
