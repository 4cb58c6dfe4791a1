/** Language, theme and single keys, for this browser. */

import { Page as PageHead } from "../../parts/page.tsx";
import { setPreferences, usePreferences } from "../../preferences/preferences.ts";
import { useTexts } from "../../texts/in-both.ts";
import { preferencesTexts } from "../../texts/account/preferences.ts";
import { Radios } from "../../ui/fields/radios.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { Card } from "../../ui/layout/card.tsx";

export function Page() {
  const texts = useTexts(preferencesTexts);
  const { language, theme, hasSingleKeys } = usePreferences();
  return (
    <PageHead title={texts.title} intro={texts.intro}>
      <Card>
        <Radios
          label={texts.language}
          value={language}
          options={[
            { value: "pt", label: <span lang="pt-BR">Português</span> },
            { value: "en", label: <span lang="en">English</span> },
          ]}
          onValue={(value) => setPreferences({ language: value })}
        />
      </Card>
      <Card>
        <Radios
          label={texts.theme}
          value={theme}
          options={[
            { value: "system", label: texts.system },
            { value: "light", label: texts.light },
            { value: "dark", label: texts.dark },
          ]}
          onValue={(value) => setPreferences({ theme: value })}
        />
      </Card>
      <Card>
        <Switch
          label={texts.keys}
          hint={texts.keysHint}
          checked={hasSingleKeys}
          onValue={(isOn) => setPreferences({ hasSingleKeys: isOn })}
        />
      </Card>
    </PageHead>
  );
}
