/** How the person signs in, where the account is open, and what to do when somebody else got in. */

import { useSession } from "../../api/session.ts";
import { Page as PageHead } from "../../parts/page.tsx";
import { securityTexts } from "../../texts/account/security.ts";
import { useTexts } from "../../texts/in-both.ts";
import { NotMeCard } from "./security/not-me-card.tsx";
import { PasskeysCard } from "./security/passkeys-card.tsx";
import { PasswordCard } from "./security/password-card.tsx";
import { SessionsCard } from "./security/sessions-card.tsx";
import { TwoFactorCard } from "./security/two-factor-card.tsx";

export function Page() {
  const texts = useTexts(securityTexts);
  const person = useSession()?.person;
  if (person === undefined) return null;
  return (
    <PageHead title={texts.title} intro={texts.intro}>
      <SessionsCard />
      <TwoFactorCard isOn={person.hasTwoFactor} email={person.email} />
      <PasskeysCard />
      <PasswordCard email={person.email} />
      <NotMeCard />
    </PageHead>
  );
}
