/** Search and filters above the list of accounts; they stand in the address. */

import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useRead } from "../../api/use-read.ts";
import { clusterAccountsTexts } from "../../texts/cluster/accounts.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Select } from "../../ui/fields/select.tsx";
import { TextInput } from "../../ui/fields/text-input.tsx";
import type { AccountSearch } from "./account-search.ts";
import styles from "./account-filters.module.css";

export function AccountFilters({ search }: { search: AccountSearch }) {
  const texts = useTexts(clusterAccountsTexts);
  const navigate = useNavigate();
  const plans = useRead("listPlans").data?.plans ?? [];
  const [reference, setReference] = useState(search.q ?? "");
  const show = (changed: Record<keyof AccountSearch, string | undefined>) => {
    const next = Object.entries(changed).filter(([, value]) => value !== undefined && value !== "");
    void navigate({ to: "/cluster/accounts", search: Object.fromEntries(next), replace: true });
  };
  const now = { q: search.q, plan: search.plan, state: search.state };
  const names = new Set([...plans.map(({ name }) => name as string), ...(search.plan ? [search.plan] : [])]);
  return (
    <div className={styles.filters}>
      <form
        role="search"
        className={styles.search}
        onSubmit={(event) => {
          event.preventDefault();
          show({ ...now, q: reference.trim() });
        }}
      >
        <Field label={texts.searchLabel}>
          <TextInput value={reference} onValue={setReference} autoComplete="off" maxLength={254} />
        </Field>
        <Button type="submit">{texts.search}</Button>
      </form>
      <Field label={texts.plan}>
        <Select
          value={search.plan ?? ""}
          options={[
            { value: "", label: texts.anyPlan },
            ...[...names].map((name) => ({ value: name, label: name })),
          ]}
          onValue={(plan) => show({ ...now, plan })}
        />
      </Field>
      <Field label={texts.state}>
        <Select
          value={search.state ?? ""}
          options={[
            { value: "", label: texts.anyState },
            { value: "good", label: texts.good },
            { value: "suspended", label: texts.suspended },
          ]}
          onValue={(state) => show({ ...now, state })}
        />
      </Field>
      {Object.keys(search).length > 0 && (
        <Button
          variant="quiet"
          onClick={() => {
            setReference("");
            show({ q: undefined, plan: undefined, state: undefined });
          }}
        >
          {texts.clear}
        </Button>
      )}
    </div>
  );
}
