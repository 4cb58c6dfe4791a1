/** The networks of a small internet: addresses, and what a machine must know to be in one. */

/** Addresses of the public network: nobody outside is reached, so they may look like anybody's. */
export const routerAddress = "20.0.0.1";
/** Network behind NAT: machines in it reach others and are not reached. */
export const homeRouter = "192.168.77.1";
/** Machine at home whose UDP goes nowhere but to the name server. */
export const mutedAddress = "192.168.77.4";

/** Where a machine is: at a public address, at one behind NAT, or behind NAT without UDP. */
export type MachinePlace = { public: string } | { home: string } | "muted";

/** Tells a machine what it must know of its network. */
export interface Wiring {
  /** Bridge of this network namespace that its network card is in. */
  bridge: string;
  /** Address with the length of its network: `20.0.0.10/24`. */
  address: string;
  /** Addresses of its router and of its name server. */
  router: string;
  nameServer: string;
}

export function wiringOf(place: MachinePlace): Wiring {
  const nameServer = routerAddress;
  if (typeof place !== "string" && "public" in place)
    return { bridge: "br0", address: `${place.public}/24`, router: routerAddress, nameServer };
  const address = place === "muted" ? mutedAddress : place.home;
  return { bridge: "br1", address: `${address}/24`, router: homeRouter, nameServer };
}
