import type * as pt from "../pt/archive.ts";

export const entryFaults: typeof pt.entryFaults = {
  notUtf8: "The name is not UTF-8",
  longPath: "The path is too long",
  deepPath: "The path has too many folders",
  longName: "The name is longer than 255 bytes",
  controlCharacter: "The name has a control character",
  absolutePath: "The path is absolute",
  drive: "The path begins with the letter of a drive",
  climbingPath: 'The path has a part ".."',
  emptyPart: 'The path has a part that is empty or "."',
  link: "It is a link",
  specialFile: "It is neither a file nor a folder",
  sameName: "The same name is there twice",
  sameButForCase: "Two names differ only in case or in how their accents are encoded",
  fileAndFolder: "A file and a folder have the same name",
};

export const archiveDetails: typeof pt.archiveDetails = {
  sharedFault: (fault, name, other) => `${fault}: ${name} and ${other}.`,
  manyFiles: (most) => `There are more than ${most} files and folders.`,
  largeFile: (name, bytes, most) => `The file ${name} has ${bytes} bytes; the limit is ${most}.`,
  largeContent: (most) => `The extracted files have more than ${most} bytes.`,
  wholeArchive: "the whole .zip",
  largeRatio: (what, most, packed, extracted) =>
    `Extracted, it grows more than ${most} times: ${what} (from ${packed} to ${extracted} bytes).`,
};
