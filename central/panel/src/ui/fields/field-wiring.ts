/** Connects an input to the label, the hint and the error of the `Field` around it. */

import { createContext, useContext } from "react";

export interface FieldWiring {
  id: string;
  describedBy: string | undefined;
  isInvalid: boolean;
}

export const FieldWiringContext = createContext<FieldWiring | null>(null);

/** Attributes for the input of a field; empty outside a `Field`. */
export interface WiredAttributes {
  id?: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

export function useFieldWiring(): WiredAttributes {
  const wiring = useContext(FieldWiringContext);
  if (!wiring) return {};
  return {
    id: wiring.id,
    ...(wiring.describedBy !== undefined && { "aria-describedby": wiring.describedBy }),
    ...(wiring.isInvalid && { "aria-invalid": true }),
  };
}
