/**
 * The panel's icons: path data of Lucide (https://lucide.dev), each drawn with `currentColor` on a grid of 24.
 * Lucide is under the ISC licence, some of its icons under MIT: LICENSE in this folder holds both notices.
 */

import type { ReactElement } from "react";

/** Properties of an icon. An icon is decoration: its meaning stands in a word beside it or in the button's label. */
export interface IconProps {
  /** Width and height in pixels; 16 when left out. */
  size?: number;
  className?: string | undefined;
}

export type Icon = (props: IconProps) => ReactElement;

function icon(...paths: readonly string[]): Icon {
  return function Lucide({ size = 16, className }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        className={className}
      >
        {paths.map((path) => (
          <path key={path} d={path} />
        ))}
      </svg>
    );
  };
}

export const ActivityIcon = /* @__PURE__ */ icon(
  "M22 12h-2.48a2 2 0 0 0-1.93 1.46l-2.35 8.36a.25.25 0 0 1-.48 0L9.24 2.18a.25.25 0 0 0-.48 0l-2.35 8.36A2 2 0 0 1 4.49 12H2",
);
export const ArchiveIcon = /* @__PURE__ */ icon(
  "M3 3h18a1 1 0 0 1 1 1v3a1 1 0 0 1 -1 1h-18a1 1 0 0 1 -1 -1v-3a1 1 0 0 1 1 -1z",
  "M4 8v11a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V8",
  "M10 12h4",
);
export const ArrowDownIcon = /* @__PURE__ */ icon("M12 5v14", "m19 12-7 7-7-7");
export const ArrowLeftIcon = /* @__PURE__ */ icon("m12 19-7-7 7-7", "M19 12H5");
export const ArrowRightIcon = /* @__PURE__ */ icon("M5 12h14", "m12 5 7 7-7 7");
export const BanIcon = /* @__PURE__ */ icon(
  "M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0z",
  "M4.929 4.929 19.07 19.071",
);
export const BellIcon = /* @__PURE__ */ icon(
  "M10.268 21a2 2 0 0 0 3.464 0",
  "M3.262 15.326A1 1 0 0 0 4 17h16a1 1 0 0 0 .74-1.673C19.41 13.956 18 12.499 18 8A6 6 0 0 0 6 8c0 4.499-1.411 5.956-2.738 7.326",
);
export const BoxIcon = /* @__PURE__ */ icon(
  "M21 8a2 2 0 0 0-1-1.73l-7-4a2 2 0 0 0-2 0l-7 4A2 2 0 0 0 3 8v8a2 2 0 0 0 1 1.73l7 4a2 2 0 0 0 2 0l7-4A2 2 0 0 0 21 16Z",
  "m3.3 7 8.7 5 8.7-5",
  "M12 22V12",
);
export const CalendarIcon = /* @__PURE__ */ icon(
  "M8 2v3",
  "M16 2v3",
  "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2z",
  "M3 9h18",
);
export const ChartLineIcon = /* @__PURE__ */ icon("M3 3v16a2 2 0 0 0 2 2h16", "m19 9-5 5-4-4-3 3");
export const CheckIcon = /* @__PURE__ */ icon("M20 6 9 17l-5-5");
export const ChevronDownIcon = /* @__PURE__ */ icon("m6 9 6 6 6-6");
export const ChevronLeftIcon = /* @__PURE__ */ icon("m15 18-6-6 6-6");
export const ChevronRightIcon = /* @__PURE__ */ icon("m9 18 6-6-6-6");
export const ChevronUpIcon = /* @__PURE__ */ icon("m18 15-6-6-6 6");
export const AlertIcon = /* @__PURE__ */ icon(
  "M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0z",
  "M12 8L12 12",
  "M12 16L12.01 16",
);
export const DoneIcon = /* @__PURE__ */ icon(
  "M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0z",
  "m16 9-5.5 5.5L8 12",
);
export const HelpIcon = /* @__PURE__ */ icon(
  "M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0z",
  "M9.09 9a3 3 0 0 1 5.83 1c0 2-3 3-3 3",
  "M12 17h.01",
);
export const ClockIcon = /* @__PURE__ */ icon("M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0z", "M12 6v6l4 2");
export const CloudOffIcon = /* @__PURE__ */ icon(
  "M10.94 5.274A7 7 0 0 1 15.71 10h1.79a4.5 4.5 0 0 1 4.222 6.057",
  "M18.796 18.81A4.5 4.5 0 0 1 17.5 19H9A7 7 0 0 1 5.79 5.78",
  "m2 2 20 20",
);
export const CommandIcon = /* @__PURE__ */ icon(
  "M15 6v12a3 3 0 1 0 3-3H6a3 3 0 1 0 3 3V6a3 3 0 1 0-3 3h12a3 3 0 1 0-3-3",
);
export const CopyIcon = /* @__PURE__ */ icon(
  "M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2v-10a2 2 0 0 1 2 -2z",
  "M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2",
);
export const CpuIcon = /* @__PURE__ */ icon(
  "M12 20v2",
  "M12 2v2",
  "M17 20v2",
  "M17 2v2",
  "M2 12h2",
  "M2 17h2",
  "M2 7h2",
  "M20 12h2",
  "M20 17h2",
  "M20 7h2",
  "M7 20v2",
  "M7 2v2",
  "M6 4h12a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2v-12a2 2 0 0 1 2 -2z",
  "M9 8h6a1 1 0 0 1 1 1v6a1 1 0 0 1 -1 1h-6a1 1 0 0 1 -1 -1v-6a1 1 0 0 1 1 -1z",
);
export const DownloadIcon = /* @__PURE__ */ icon(
  "M12 15V3",
  "M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4",
  "m7 10 5 5 5-5",
);
export const EllipsisIcon = /* @__PURE__ */ icon(
  "M11 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0z",
  "M18 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0z",
  "M4 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0z",
);
export const ExternalLinkIcon = /* @__PURE__ */ icon(
  "M15 3h6v6",
  "M10 14 21 3",
  "M18 13v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6",
);
export const EyeIcon = /* @__PURE__ */ icon(
  "M2.062 12.348a1 1 0 0 1 0-.696 10.75 10.75 0 0 1 19.876 0 1 1 0 0 1 0 .696 10.75 10.75 0 0 1-19.876 0",
  "M9 12a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z",
);
export const EyeOffIcon = /* @__PURE__ */ icon(
  "M10.733 5.076a10.744 10.744 0 0 1 11.205 6.575 1 1 0 0 1 0 .696 10.747 10.747 0 0 1-1.444 2.49",
  "M14.084 14.158a3 3 0 0 1-4.242-4.242",
  "M17.479 17.499a10.75 10.75 0 0 1-15.417-5.151 1 1 0 0 1 0-.696 10.75 10.75 0 0 1 4.446-5.143",
  "m2 2 20 20",
);
export const FileIcon = /* @__PURE__ */ icon(
  "M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z",
  "M14 2v5a1 1 0 0 0 1 1h5",
);
export const FileArchiveIcon = /* @__PURE__ */ icon(
  "M13.659 22H18a2 2 0 0 0 2-2V8a2.4 2.4 0 0 0-.706-1.706l-3.588-3.588A2.4 2.4 0 0 0 14 2H6a2 2 0 0 0-2 2v11.5",
  "M14 2v5a1 1 0 0 0 1 1h5",
  "M8 12v-1",
  "M8 18v-2",
  "M8 7V6",
  "M6 20a2 2 0 1 0 4 0a2 2 0 1 0 -4 0z",
);
export const FingerprintIcon = /* @__PURE__ */ icon(
  "M12 10a2 2 0 0 0-2 2c0 1.02-.1 2.51-.26 4",
  "M14 13.12c0 2.38 0 6.38-1 8.88",
  "M17.29 21.02c.12-.6.43-2.3.5-3.02",
  "M2 12a10 10 0 0 1 18-6",
  "M2 16h.01",
  "M21.8 16c.2-2 .131-5.354 0-6",
  "M5 19.5C5.5 18 6 15 6 12a6 6 0 0 1 .34-2",
  "M8.65 22c.21-.66.45-1.32.57-2",
  "M9 6.8a6 6 0 0 1 9 5.2v2",
);
export const FolderIcon = /* @__PURE__ */ icon(
  "M20 20a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2h-7.9a2 2 0 0 1-1.69-.9L9.6 3.9A2 2 0 0 0 7.93 3H4a2 2 0 0 0-2 2v13a2 2 0 0 0 2 2Z",
);
export const FolderOpenIcon = /* @__PURE__ */ icon(
  "m6 14 1.5-2.9A2 2 0 0 1 9.24 10H20a2 2 0 0 1 1.94 2.5l-1.54 6a2 2 0 0 1-1.95 1.5H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h3.9a2 2 0 0 1 1.69.9l.81 1.2a2 2 0 0 0 1.67.9H18a2 2 0 0 1 2 2v2",
);
export const GaugeIcon = /* @__PURE__ */ icon("m12 14 4-4", "M3.34 19a10 10 0 1 1 17.32 0");
export const GiftIcon = /* @__PURE__ */ icon(
  "M12 7v14",
  "M20 11v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-8",
  "M7.5 7a1 1 0 0 1 0-5A4.8 8 0 0 1 12 7a4.8 8 0 0 1 4.5-5 1 1 0 0 1 0 5",
  "M4 7h16a1 1 0 0 1 1 1v2a1 1 0 0 1 -1 1h-16a1 1 0 0 1 -1 -1v-2a1 1 0 0 1 1 -1z",
);
export const GlobeIcon = /* @__PURE__ */ icon(
  "M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0z",
  "M12 2a14.5 14.5 0 0 0 0 20 14.5 14.5 0 0 0 0-20",
  "M2 12h20",
);
export const HardDriveIcon = /* @__PURE__ */ icon(
  "M10 16h.01",
  "M2.212 11.577a2 2 0 0 0-.212.896V18a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2v-5.527a2 2 0 0 0-.212-.896L18.55 5.11A2 2 0 0 0 16.76 4H7.24a2 2 0 0 0-1.79 1.11z",
  "M21.946 12.013H2.054",
  "M6 16h.01",
);
export const HistoryIcon = /* @__PURE__ */ icon(
  "M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8",
  "M3 3v5h5",
  "M12 7v5l4 2",
);
export const HomeIcon = /* @__PURE__ */ icon(
  "M15 21v-8a1 1 0 0 0-1-1h-4a1 1 0 0 0-1 1v8",
  "M3 10a2 2 0 0 1 .709-1.528l7-6a2 2 0 0 1 2.582 0l7 6A2 2 0 0 1 21 10v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z",
);
export const ImageIcon = /* @__PURE__ */ icon(
  "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2z",
  "M7 9a2 2 0 1 0 4 0a2 2 0 1 0 -4 0z",
  "m21 15-3.086-3.086a2 2 0 0 0-2.828 0L6 21",
);
export const InfoIcon = /* @__PURE__ */ icon(
  "M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0z",
  "M12 16v-4",
  "M12 8h.01",
);
export const KeyIcon = /* @__PURE__ */ icon(
  "M2.586 17.414A2 2 0 0 0 2 18.828V21a1 1 0 0 0 1 1h3a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h1a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h.172a2 2 0 0 0 1.414-.586l.814-.814a6.5 6.5 0 1 0-4-4z",
  "M16 7.5a.5 .5 0 1 0 1 0a.5 .5 0 1 0 -1 0z",
);
export const LayersIcon = /* @__PURE__ */ icon(
  "M12.83 2.18a2 2 0 0 0-1.66 0L2.6 6.08a1 1 0 0 0 0 1.83l8.58 3.91a2 2 0 0 0 1.66 0l8.58-3.9a1 1 0 0 0 0-1.83z",
  "M2 12a1 1 0 0 0 .58.91l8.6 3.91a2 2 0 0 0 1.65 0l8.58-3.9A1 1 0 0 0 22 12",
  "M2 17a1 1 0 0 0 .58.91l8.6 3.91a2 2 0 0 0 1.65 0l8.58-3.9A1 1 0 0 0 22 17",
);
export const LifeBuoyIcon = /* @__PURE__ */ icon(
  "M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0z",
  "m4.93 4.93 4.24 4.24",
  "m14.83 9.17 4.24-4.24",
  "m14.83 14.83 4.24 4.24",
  "m9.17 14.83-4.24 4.24",
  "M8 12a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
);
export const LinkIcon = /* @__PURE__ */ icon(
  "M10 13a5 5 0 0 0 7.54.54l3-3a5 5 0 0 0-7.07-7.07l-1.72 1.71",
  "M14 11a5 5 0 0 0-7.54-.54l-3 3a5 5 0 0 0 7.07 7.07l1.71-1.71",
);
export const FilterIcon = /* @__PURE__ */ icon("M2 5h20", "M6 12h12", "M9 19h6");
export const LockIcon = /* @__PURE__ */ icon(
  "M5 11h14a2 2 0 0 1 2 2v7a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-7a2 2 0 0 1 2 -2z",
  "M7 11V7a5 5 0 0 1 10 0v4",
);
export const SignOutIcon = /* @__PURE__ */ icon(
  "m16 17 5-5-5-5",
  "M21 12H9",
  "M9 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4",
);
export const MailIcon = /* @__PURE__ */ icon(
  "m22 7-8.991 5.727a2 2 0 0 1-2.009 0L2 7",
  "M4 4h16a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-16a2 2 0 0 1 -2 -2v-12a2 2 0 0 1 2 -2z",
);
export const MemoryStickIcon = /* @__PURE__ */ icon(
  "M12 12v-2",
  "M12 18v-2",
  "M16 12v-2",
  "M16 18v-2",
  "M2 11h1.5",
  "M20 18v-2",
  "M20.5 11H22",
  "M4 18v-2",
  "M8 12v-2",
  "M8 18v-2",
  "M4 6h16a2 2 0 0 1 2 2v6a2 2 0 0 1 -2 2h-16a2 2 0 0 1 -2 -2v-6a2 2 0 0 1 2 -2z",
);
export const MenuIcon = /* @__PURE__ */ icon("M4 5h16", "M4 12h16", "M4 19h16");
export const MonitorIcon = /* @__PURE__ */ icon(
  "M4 3h16a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-16a2 2 0 0 1 -2 -2v-10a2 2 0 0 1 2 -2z",
  "M8 21L16 21",
  "M12 17L12 21",
);
export const MoonIcon = /* @__PURE__ */ icon(
  "M20.985 12.486a9 9 0 1 1-9.473-9.472c.405-.022.617.46.402.803a6 6 0 0 0 8.268 8.268c.344-.215.825-.004.803.401",
);
export const NetworkIcon = /* @__PURE__ */ icon(
  "M17 16h4a1 1 0 0 1 1 1v4a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-4a1 1 0 0 1 1 -1z",
  "M3 16h4a1 1 0 0 1 1 1v4a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-4a1 1 0 0 1 1 -1z",
  "M10 2h4a1 1 0 0 1 1 1v4a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-4a1 1 0 0 1 1 -1z",
  "M5 16v-3a1 1 0 0 1 1-1h12a1 1 0 0 1 1 1v3",
  "M12 12V8",
);
export const PackageIcon = /* @__PURE__ */ icon(
  "M11 21.73a2 2 0 0 0 2 0l7-4A2 2 0 0 0 21 16V8a2 2 0 0 0-1-1.73l-7-4a2 2 0 0 0-2 0l-7 4A2 2 0 0 0 3 8v8a2 2 0 0 0 1 1.73z",
  "M12 22V12",
  "M3.29 7 12 12 20.71 7",
  "m7.5 4.27 9 5.15",
);
export const PauseIcon = /* @__PURE__ */ icon(
  "M15 3h3a1 1 0 0 1 1 1v16a1 1 0 0 1 -1 1h-3a1 1 0 0 1 -1 -1v-16a1 1 0 0 1 1 -1z",
  "M6 3h3a1 1 0 0 1 1 1v16a1 1 0 0 1 -1 1h-3a1 1 0 0 1 -1 -1v-16a1 1 0 0 1 1 -1z",
);
export const PencilIcon = /* @__PURE__ */ icon(
  "M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497z",
  "m15 5 4 4",
);
export const PlayIcon = /* @__PURE__ */ icon(
  "M5 5a2 2 0 0 1 3.008-1.728l11.997 6.998a2 2 0 0 1 .003 3.458l-12 7A2 2 0 0 1 5 19z",
);
export const PlusIcon = /* @__PURE__ */ icon("M5 12h14", "M12 5v14");
export const RefreshIcon = /* @__PURE__ */ icon(
  "M3 12a9 9 0 0 1 9-9 9.75 9.75 0 0 1 6.74 2.74L21 8",
  "M21 3v5h-5",
  "M21 12a9 9 0 0 1-9 9 9.75 9.75 0 0 1-6.74-2.74L3 16",
  "M8 16H3v5",
);
export const RestartIcon = /* @__PURE__ */ icon(
  "M21 12a9 9 0 1 1-9-9c2.52 0 4.93 1 6.74 2.74L21 8",
  "M21 3v5h-5",
);
export const SaveIcon = /* @__PURE__ */ icon(
  "M15.2 3a2 2 0 0 1 1.4.6l3.8 3.8a2 2 0 0 1 .6 1.4V19a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z",
  "M17 21v-7a1 1 0 0 0-1-1H8a1 1 0 0 0-1 1v7",
  "M7 3v4a1 1 0 0 0 1 1h7",
);
export const SearchIcon = /* @__PURE__ */ icon("m21 21-4.34-4.34", "M3 11a8 8 0 1 0 16 0a8 8 0 1 0 -16 0z");
export const ServerIcon = /* @__PURE__ */ icon(
  "M4 2h16a2 2 0 0 1 2 2v4a2 2 0 0 1 -2 2h-16a2 2 0 0 1 -2 -2v-4a2 2 0 0 1 2 -2z",
  "M4 14h16a2 2 0 0 1 2 2v4a2 2 0 0 1 -2 2h-16a2 2 0 0 1 -2 -2v-4a2 2 0 0 1 2 -2z",
  "M6 6L6.01 6",
  "M6 18L6.01 18",
);
export const SettingsIcon = /* @__PURE__ */ icon(
  "M9.671 4.136a2.34 2.34 0 0 1 4.659 0 2.34 2.34 0 0 0 3.319 1.915 2.34 2.34 0 0 1 2.33 4.033 2.34 2.34 0 0 0 0 3.831 2.34 2.34 0 0 1-2.33 4.033 2.34 2.34 0 0 0-3.319 1.915 2.34 2.34 0 0 1-4.659 0 2.34 2.34 0 0 0-3.32-1.915 2.34 2.34 0 0 1-2.33-4.033 2.34 2.34 0 0 0 0-3.831A2.34 2.34 0 0 1 6.35 6.051a2.34 2.34 0 0 0 3.319-1.915",
  "M9 12a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z",
);
export const ShieldCheckIcon = /* @__PURE__ */ icon(
  "M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1z",
  "m9 12 2 2 4-4",
);
export const SmartphoneIcon = /* @__PURE__ */ icon(
  "M7 2h10a2 2 0 0 1 2 2v16a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2v-16a2 2 0 0 1 2 -2z",
  "M12 18h.01",
);
export const StopIcon = /* @__PURE__ */ icon(
  "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2z",
);
export const SunIcon = /* @__PURE__ */ icon(
  "M8 12a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
  "M12 2v2",
  "M12 20v2",
  "m4.93 4.93 1.41 1.41",
  "m17.66 17.66 1.41 1.41",
  "M2 12h2",
  "M20 12h2",
  "m6.34 17.66-1.41 1.41",
  "m19.07 4.93-1.41 1.41",
);
export const TerminalIcon = /* @__PURE__ */ icon("M12 19h8", "m4 17 6-6-6-6");
export const TrashIcon = /* @__PURE__ */ icon(
  "M10 11v6",
  "M14 11v6",
  "M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6",
  "M3 6h18",
  "M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2",
);
export const WarningIcon = /* @__PURE__ */ icon(
  "m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3",
  "M12 9v4",
  "M12 17h.01",
);
export const UndoIcon = /* @__PURE__ */ icon(
  "M9 14 4 9l5-5",
  "M4 9h10.5a5.5 5.5 0 0 1 5.5 5.5a5.5 5.5 0 0 1-5.5 5.5H11",
);
export const UploadIcon = /* @__PURE__ */ icon(
  "M12 3v12",
  "m17 8-5-5-5 5",
  "M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4",
);
export const UserIcon = /* @__PURE__ */ icon(
  "M19 21v-2a4 4 0 0 0-4-4H9a4 4 0 0 0-4 4v2",
  "M8 7a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
);
export const UsersIcon = /* @__PURE__ */ icon(
  "M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2",
  "M16 3.128a4 4 0 0 1 0 7.744",
  "M22 21v-2a4 4 0 0 0-3-3.87",
  "M5 7a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
);
export const WifiOffIcon = /* @__PURE__ */ icon(
  "M12 20h.01",
  "M8.5 16.429a5 5 0 0 1 7 0",
  "M5 12.859a10 10 0 0 1 5.17-2.69",
  "M19 12.859a10 10 0 0 0-2.007-1.523",
  "M2 8.82a15 15 0 0 1 4.177-2.643",
  "M22 8.82a15 15 0 0 0-11.288-3.764",
  "m2 2 20 20",
);
export const WrapTextIcon = /* @__PURE__ */ icon(
  "m16 16-3 3 3 3",
  "M3 12h14.5a1 1 0 0 1 0 7H13",
  "M3 19h6",
  "M3 5h18",
);
export const XIcon = /* @__PURE__ */ icon("M18 6 6 18", "m6 6 12 12");
