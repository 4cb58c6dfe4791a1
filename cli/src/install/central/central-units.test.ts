import assert from "node:assert/strict";
import { test } from "node:test";
import { centralFiles } from "../places.ts";
import { centralUnit, textsOfCentralUnits } from "./central-units.ts";

test("what root copies for other machines lies outside of what central may write, and central finds it", () => {
  const unit = textsOfCentralUnits({ api: "127.0.0.1:1", sites: "127.0.0.1:2", link: null }).get(centralUnit);
  const value = (name: string) => new RegExp(`^${name}=(.+)$`, "m").exec(unit ?? "")?.[1] ?? "";
  const writable = value("ReadWritePaths");
  assert.equal(value("Environment=TIJOLO_INSTALL_FILES_DIRECTORY"), centralFiles.installFiles);
  assert.equal(writable, centralFiles.data);
  for (const place of [centralFiles.installFiles, centralFiles.releases, centralFiles.packages]) {
    assert.equal(place.startsWith(`${writable}/`), false, place);
    assert.ok(place.startsWith(centralFiles.installFiles), place);
  }
});
