/** Handles the operations on the machines' images, between the edge and the rules. */

import type { ImagePullEvent } from "@tijolo/protocol";
import type { AppContext } from "../../app/context.ts";
import { assertPackagesAllowed } from "../../app/projects/allowed-packages.ts";
import type { HostLink } from "../../app/hosts/host-link.ts";
import { listImages, pruneImages, pullImages } from "../../app/images/host-images.ts";
import { setImage, unsetImage } from "../../app/images/image-override.ts";
import type { Handlers } from "./handlers.ts";

export function imageHandlers(app: AppContext, link: Pick<HostLink, "ask">) {
  return {
    listImages: ({ query, signal }) => listImages(app, link, query, signal),
    async pullImages({ principal, body, signal }) {
      assertPackagesAllowed(app, body.systemPackages, "invalid_request");
      const events = () => pullImages(app, link, principal.actor, body, signal);
      return { events: () => oneByOne(events()), page: () => results(events()), wantsPage: false };
    },
    pruneImages: async ({ principal, body, signal }) => ({
      hosts: await pruneImages(app, link, principal.actor, body, signal),
    }),
    setImage: ({ principal, params, body }) => setImage(app, principal.actor, params, body.reference),
    unsetImage: ({ principal, params }) => unsetImage(app, principal.actor, params),
  } satisfies Partial<Handlers>;
}

async function* oneByOne(events: AsyncIterable<ImagePullEvent>): AsyncGenerator<ImagePullEvent[]> {
  for await (const event of events) yield [event];
}

/** Collects the results without the progress in between, whose amount has no bound. */
async function results(events: AsyncIterable<ImagePullEvent>): Promise<{ events: ImagePullEvent[] }> {
  const found: ImagePullEvent[] = [];
  for await (const event of events) if (event.event !== "image-progress") found.push(event);
  return { events: found };
}
