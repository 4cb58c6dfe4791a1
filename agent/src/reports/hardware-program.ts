/**
 * Prints this machine's hardware as JSON and ends. systeminformation runs shell lines of its own, so this is
 * a process of its own, which gives up root before the first of them: root is needed only to read this
 * program where it lies below root's home.
 */

import { existsSync } from "node:fs";
import { maxHardwareParts, type HostHardware } from "@tijolo/protocol";
import system from "systeminformation";

/** User and group `nobody` of Debian and its relatives. */
const nobody = 65_534;
const mebibyte = 1024 * 1024;

leaveRoot();
process.stdout.write(JSON.stringify(await readParts()));

function leaveRoot(): void {
  if (process.getuid?.() !== 0) return;
  process.setgroups?.([]);
  process.setgid?.(nobody);
  process.setuid?.(nobody);
}

async function readParts(): Promise<HostHardware> {
  const computer = await system.system();
  const processor = await system.cpu();
  const modules = await system.memLayout();
  const disks = await system.diskLayout();
  const interfaces = [await system.networkInterfaces()].flat();
  const { controllers } = await system.graphics();
  return {
    system: {
      manufacturer: computer.manufacturer ?? "",
      model: computer.model ?? "",
      // The firmware's tables, by which the library judges, are root's; the processor says it to everybody.
      isVirtual: computer.virtual || (processor.flags ?? "").split(" ").includes("hypervisor"),
    },
    processor: {
      manufacturer: processor.manufacturer ?? "",
      model: processor.brand ?? "",
      cores: processor.physicalCores,
      threads: processor.cores,
      maxMhz: known((processor.speedMax ?? 0) * 1000),
    },
    memory: first(modules).map(({ size, type, manufacturer, clockSpeed }) => ({
      sizeMb: Math.round(size / mebibyte),
      type: type ?? "",
      manufacturer: manufacturer ?? "",
      mhz: known(clockSpeed),
    })),
    disks: first(disks).map(({ device, name, type, size }) => ({
      device: device ?? "",
      model: name ?? "",
      type: type ?? "",
      sizeMb: Math.round((size ?? 0) / mebibyte),
    })),
    network: first(interfaces.filter(isPhysical)).map(({ iface, type, operstate, speed }) => ({
      interface: iface,
      type: type ?? "",
      isUp: operstate === "up",
      mbps: known(speed),
    })),
    graphics: first(controllers ?? []).map(({ model, vram }) => ({
      model: model ?? "",
      memoryMb: known(vram),
    })),
  };
}

/** False for links that the kernel makes, such as those of projects: only a device has this entry. */
function isPhysical({ iface }: { iface: string }): boolean {
  return existsSync(`/sys/class/net/${iface}/device`);
}

function first<Part>(parts: readonly Part[]): readonly Part[] {
  return parts.slice(0, maxHardwareParts);
}

/** Returns a whole number, or null for the library's ways to say that it does not know. */
function known(value: number | null | undefined): number | null {
  return value == null || !(value > 0) ? null : Math.round(value);
}
