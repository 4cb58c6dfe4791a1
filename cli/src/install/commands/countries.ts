/** Carries out `install countries`, which `tijolo-countries.service` runs daily. */

import type { InstallCommand } from "../command.ts";
import { bringCountryTables } from "../packages/country-tables.ts";

export const countries: InstallCommand = async (_values, context) => {
  await bringCountryTables(context);
  return 0;
};
