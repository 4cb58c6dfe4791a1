/** Defines the context of rules about the mesh. */

import type { BaseContext } from "../base-context.ts";
import type { Mesh } from "./mesh.ts";

export interface MeshContext extends BaseContext {
  mesh: Mesh;
}
