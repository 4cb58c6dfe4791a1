/** Names the directory in which nginx sees the files of one version of a site. */

/** Files of a static site, as nginx serves them. */
export interface StaticSite {
  /** Directory whose files are served. */
  files: string;
  /** Directory of the same files compressed; it need not exist. */
  compressed: string;
  /** True for an app of one page. */
  isApp: boolean;
  /** True where the whole project is served, whose settings are not for visitors. */
  isWhole: boolean;
}

/** Matches the name of a directory: project, serial, and what nginx has to know of the site. */
export const treePattern = /^([0-9A-HJKMNP-TV-Z]{26})\.[0-9a-z]+\.s?w?$/;

export function treeName(projectId: string, serial: string, { isApp, isWhole }: StaticSite): string {
  return `${projectId}.${serial}.${isApp ? "s" : ""}${isWhole ? "w" : ""}`;
}
